"""The catalog's schema: each step is an Alembic migration in `migrations/versions`, run when a home is behind."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from filelock import FileLock

from citewell.errors import CitewellError

# The step that this version of Citewell works with; `PRAGMA user_version` of a home at it, so that opening one that is
# up to date imports no migration tool.
SCHEMA_VERSION = 3
FIRST_STEP = "0002"
MIGRATIONS = Path(__file__).parent / "migrations"


def schema_version(path: Path) -> int:
    """The schema step of a catalog file; 0 for one that is not there or empty."""
    if not path.exists():
        return 0
    connection = sqlite3.connect(path, timeout=5)
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


def prepare(path: Path) -> None:
    """Bring a catalog file up to this version's schema. Raises `CitewellError` for a home of a newer version."""
    found = schema_version(path)
    if found > SCHEMA_VERSION:
        raise CitewellError(
            f"The library in {path.parent} was made by a newer version of Citewell.",
            "Upgrade with: pip install --upgrade citewell",
        )
    if found < SCHEMA_VERSION:
        with FileLock(path.with_name("schema.lock"), timeout=120):
            found = schema_version(path)
            if found < SCHEMA_VERSION:
                _migrate(path, found)


def _migrate(path: Path, found: int) -> None:
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine
    from sqlalchemy.engine import URL

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    engine = create_engine(URL.create("sqlite", database=str(path)))
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            if found:
                # Homes made before Alembic kept their step in `user_version` alone.
                command.stamp(config, FIRST_STEP)
            command.upgrade(config, "head")
            connection.exec_driver_sql(f"PRAGMA user_version = {SCHEMA_VERSION}")
    finally:
        engine.dispose()
