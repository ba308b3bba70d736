"""Starts `vision.lab.measure`, so that the command is `python -m vision.measure`."""

from vision.lab.measure import main

if __name__ == "__main__":
    main()
