"""The settings file and where the table keeps its things."""
