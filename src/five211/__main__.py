"""`python -m five211` is the command `five211`."""

from five211.cli import main

if __name__ == "__main__":
    main()
