"""The composition root: the only folder of `companion` that knows every package and puts them together."""

import os

# The products of matrices here are small: on several threads OpenBLAS spends 20 times the processor's time
# on waiting for itself, time that lamps and pages then lack. It reads this once, when numpy is first
# imported, so it is said here and in `vision`, before any of their modules.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
