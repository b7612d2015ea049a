"""The book of 5211 in numbers."""
