"""The tables of the catalog."""

from __future__ import annotations

# 2: the form of the keys in `names` changed
SCHEMA_VERSION = 2

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- state: pending (not in the vector store yet), indexed
CREATE TABLE IF NOT EXISTS papers (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    title_from_text INTEGER NOT NULL DEFAULT 0,
    abstract TEXT NOT NULL,
    authors TEXT NOT NULL,
    year INTEGER,
    venue TEXT NOT NULL,
    url TEXT NOT NULL,
    doi TEXT NOT NULL,
    identifiers TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending'
);
CREATE INDEX IF NOT EXISTS papers_by_state ON papers(state) WHERE state <> 'indexed';

-- every key by which a paper is known again: identifiers, folded title, folded abstract
CREATE TABLE IF NOT EXISTS keys (key TEXT NOT NULL, paper_id TEXT NOT NULL, PRIMARY KEY (key, paper_id)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS keys_by_paper ON keys(paper_id);

-- one row a record read: where it came from, and what it held
CREATE TABLE IF NOT EXISTS records (
    source TEXT NOT NULL,
    record INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    paper_id TEXT NOT NULL,
    PRIMARY KEY (source, record)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS records_by_paper ON records(paper_id);

-- abstracts as their files have them, where cleaning changed them
CREATE TABLE IF NOT EXISTS originals (paper_id TEXT PRIMARY KEY, abstract TEXT NOT NULL) WITHOUT ROWID;

-- names by which a paper may be asked for
CREATE TABLE IF NOT EXISTS names (
    key TEXT NOT NULL, paper_id TEXT NOT NULL, name TEXT NOT NULL, weight INTEGER NOT NULL,
    PRIMARY KEY (key, paper_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS names_by_paper ON names(paper_id);

-- vectors, kept so that nothing is encoded twice: rebuilding the store or moving it to a server costs no encoding
CREATE TABLE IF NOT EXISTS passage_vectors (
    paper_id TEXT PRIMARY KEY, model TEXT NOT NULL, text_hash TEXT NOT NULL, bounds BLOB NOT NULL, vectors BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS sentence_vectors (
    paper_id TEXT PRIMARY KEY, model TEXT NOT NULL, text_hash TEXT NOT NULL, bounds BLOB NOT NULL, vectors BLOB NOT NULL
);
"""
