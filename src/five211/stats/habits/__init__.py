"""How a bot plays: its habits, counted in recorded games, for players who want to play better."""
