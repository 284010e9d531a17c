"""Full-text search of the list (FTS5), a table of authors, shorter likeness keys, new name keys; no kept originals."""

from __future__ import annotations

import json
from typing import Any

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

COLUMNS = "title, authors, venue, year, abstract"
STATEMENTS = (
    """CREATE TABLE IF NOT EXISTS authors (name TEXT NOT NULL, paper_id TEXT NOT NULL, place INTEGER NOT NULL,
        PRIMARY KEY (name, paper_id, place)) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS authors_by_paper ON authors(paper_id)",
    f"""CREATE VIRTUAL TABLE IF NOT EXISTS paper_text USING fts5({COLUMNS}, content='papers', content_rowid='seq',
        tokenize="unicode61 remove_diacritics 2", prefix='2 3 4')""",
    f"""CREATE TRIGGER IF NOT EXISTS papers_added AFTER INSERT ON papers BEGIN
        INSERT INTO paper_text(rowid, {COLUMNS})
        VALUES (new.seq, new.title, new.authors, new.venue, new.year, new.abstract); END""",
    f"""CREATE TRIGGER IF NOT EXISTS papers_deleted AFTER DELETE ON papers BEGIN
        INSERT INTO paper_text(paper_text, rowid, {COLUMNS})
        VALUES ('delete', old.seq, old.title, old.authors, old.venue, old.year, old.abstract); END""",
    f"""CREATE TRIGGER IF NOT EXISTS papers_changed AFTER UPDATE OF {COLUMNS} ON papers BEGIN
        INSERT INTO paper_text(paper_text, rowid, {COLUMNS})
        VALUES ('delete', old.seq, old.title, old.authors, old.venue, old.year, old.abstract);
        INSERT INTO paper_text(rowid, {COLUMNS})
        VALUES (new.seq, new.title, new.authors, new.venue, new.year, new.abstract); END""",
    "INSERT INTO paper_text(paper_text) VALUES ('rebuild')",
    "DROP TABLE IF EXISTS originals",
)


def upgrade() -> None:
    """Make what is new and fill it from the papers that are there."""
    connection = op.get_bind()
    for statement in STATEMENTS:
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql("DELETE FROM keys WHERE key LIKE 'near:%'")
    sql = "SELECT id, title, title_from_text, abstract, authors FROM papers"
    for paper in connection.exec_driver_sql(sql).fetchall():
        _fill(connection, *paper)


def _fill(connection: Any, paper_id: str, title: str, from_text: int, abstract: str, authors: str) -> None:
    """The authors, likeness keys and names of one paper, as they are read today."""
    from citewell.library.identity import likeness_keys
    from citewell.text.names import name_key, paper_names

    people = [(name, paper_id, place) for place, name in enumerate(json.loads(authors))]
    keys = [(key, paper_id) for key in likeness_keys(abstract)]
    names = paper_names("" if from_text else title, abstract)
    called = [(name_key(name.text), paper_id, name.text, name.weight) for name in names]
    connection.exec_driver_sql("DELETE FROM names WHERE paper_id = ?", (paper_id,))
    for sql, rows in (
        ("INSERT OR IGNORE INTO authors VALUES (?, ?, ?)", people),
        ("INSERT OR IGNORE INTO keys VALUES (?, ?)", keys),
        ("INSERT OR IGNORE INTO names VALUES (?, ?, ?, ?)", called),
    ):
        if rows:
            connection.exec_driver_sql(sql, rows)


def downgrade() -> None:
    """An older version of Citewell reads no newer home."""
    raise RuntimeError("A library is not taken back to an older version.")
