"""The game on the table and the people around it: session, journal, seats, records, prompts, backups."""
