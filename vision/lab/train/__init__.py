"""Trains the eyes' small network on imaginary publishers; needs the extra `train`. Never used at run time."""
