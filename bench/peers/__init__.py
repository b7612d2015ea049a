"""The compiled engine beside other game libraries: `make bench-peers`.

A peer is one file, which runs in an environment of its own; `ours.py` is the same for five211.
"""
