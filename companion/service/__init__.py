"""The composition root: the only folder of `companion` that knows every package and puts them together."""
