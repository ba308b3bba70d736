"""Lets the tests find the package beside this file, whether it is installed or not."""
