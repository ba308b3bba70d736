"""What stands around the rules: eyes, lights, hands, the workbench, the house.

With `app.py` and `bench.py` the only modules of `companion` that know every package.
"""
