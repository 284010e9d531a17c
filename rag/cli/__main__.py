"""`python -m rag.cli` is the same as `citewell`."""

from rag.cli import main

if __name__ == "__main__":
    main()
