"""The eyes of the table."""

import os

# As in `companion.service`: whoever comes first says it before numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
