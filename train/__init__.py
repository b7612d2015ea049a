"""How the networks of five211 came to be: self-play with a population, by `python -m train`."""
