"""What games are written against: actions, states, chance, options, layouts, scenes, texts."""
