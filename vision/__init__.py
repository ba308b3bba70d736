"""The eyes of the table."""

import os

# The products of matrices here are small: on several threads OpenBLAS waits for itself most of the time. It
# reads this when numpy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
