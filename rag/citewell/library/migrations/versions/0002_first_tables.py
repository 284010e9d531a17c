"""The tables of the first release."""

from __future__ import annotations

import uuid

from alembic import op

revision = "0002"
down_revision = None
branch_labels = None
depends_on = None

TABLES = (
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # state: pending (not in the vector store yet), indexed
    """CREATE TABLE IF NOT EXISTS papers (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
        title_from_text INTEGER NOT NULL DEFAULT 0, abstract TEXT NOT NULL, authors TEXT NOT NULL, year INTEGER,
        venue TEXT NOT NULL, url TEXT NOT NULL, doi TEXT NOT NULL, identifiers TEXT NOT NULL, text_hash TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'pending')""",
    "CREATE INDEX IF NOT EXISTS papers_by_state ON papers(state) WHERE state <> 'indexed'",
    # every key by which a paper is known again: identifiers, folded title, folded abstract
    """CREATE TABLE IF NOT EXISTS keys (key TEXT NOT NULL, paper_id TEXT NOT NULL, PRIMARY KEY (key, paper_id))
       WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS keys_by_paper ON keys(paper_id)",
    # one row a record read: which file it came from, and what it held
    """CREATE TABLE IF NOT EXISTS records (source TEXT NOT NULL, record INTEGER NOT NULL, content_hash TEXT NOT NULL,
        paper_id TEXT NOT NULL, PRIMARY KEY (source, record)) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS records_by_paper ON records(paper_id)",
    # names by which a paper may be asked for
    """CREATE TABLE IF NOT EXISTS names (key TEXT NOT NULL, paper_id TEXT NOT NULL, name TEXT NOT NULL,
        weight INTEGER NOT NULL, PRIMARY KEY (key, paper_id)) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS names_by_paper ON names(paper_id)",
    # vectors, kept so that nothing is encoded twice: rebuilding the store or moving it to a server costs no encoding
    """CREATE TABLE IF NOT EXISTS passage_vectors (paper_id TEXT PRIMARY KEY, model TEXT NOT NULL,
        text_hash TEXT NOT NULL, bounds BLOB NOT NULL, vectors BLOB NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS sentence_vectors (paper_id TEXT PRIMARY KEY, model TEXT NOT NULL,
        text_hash TEXT NOT NULL, bounds BLOB NOT NULL, vectors BLOB NOT NULL)""",
)


def upgrade() -> None:
    """Make the tables; the library gets an id of its own."""
    for table in TABLES:
        op.execute(table)
    connection = op.get_bind()
    connection.exec_driver_sql("INSERT OR IGNORE INTO meta VALUES ('library_id', ?)", (uuid.uuid4().hex,))
    connection.exec_driver_sql("INSERT OR IGNORE INTO meta VALUES ('version', '0')")


def downgrade() -> None:
    """There is nothing before the first tables."""
    raise RuntimeError("A library cannot be taken back to before its first version.")
