"""Keeps the tests from importing the training, which needs the extra `train`."""

collect_ignore = ["__main__.py", "network.py"]
