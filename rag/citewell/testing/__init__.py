"""For the tests of others: an encoder that needs no model, and the contract of each port as a class of tests.

A back end subclasses the contract of its port and overrides the one fixture that makes it; pytest runs the rest.
"""

from citewell.testing.embeddings import HashEmbeddings

__all__ = ["HashEmbeddings"]
