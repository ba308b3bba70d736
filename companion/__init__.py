"""Gloam: rules, tables and the service that runs them."""

__version__ = "0.1.0"
"""The version of the whole distribution: this is its only place."""
