"""Adding files to the library, taking sources away, and its health."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import streamlit as st

from citewell.errors import CitewellError
from citewell.library.doctor import Health, examine
from citewell.library.report import IngestReport
from citewell.wording import counted
from citewell_ui.jobs import Job, follow
from citewell_ui.markup import label
from citewell_ui.state import LibraryHolder

FORMATS = "BibTeX, RIS, CSV, TSV, Excel, JSON, JSON Lines, PubMed, EndNote, Web of Science, arXiv, plain text, or a zip"
FAILURES_SHOWN = 50
_COUNTS = ("records", "added", "updated", "merged", "unchanged", "without_abstract")


def draw_ingest(holder: LibraryHolder) -> None:
    """Drop files, watch them being read, see what became of every record."""
    assert holder.library is not None
    st.markdown(f"Drop bibliographies here: {FORMATS}. The format is told from the content.")
    running = holder.ingesting is not None and not holder.ingesting.is_finished
    # A key of its own for each round empties the box once its files are taken.
    turn = st.session_state.setdefault("ingest-round", 0)
    files = st.file_uploader("Bibliography files", accept_multiple_files=True, key=f"files-{turn}")
    # The button waits for the files: a click during the upload would find none.
    if st.button("Add to the library", icon=":material/library_add:", disabled=running or not files):
        paths = _kept(holder.settings.home / "uploads", files)
        library = holder.library
        holder.ingesting = Job(lambda progress: library.ingest(paths, progress), "Reading the files")
        st.session_state["ingest-round"] = turn + 1
        st.rerun()
    job = holder.ingesting
    if job is None:
        return
    was_running = not job.is_finished
    if follow(job) and was_running:
        st.rerun()
    if job.error:
        st.error(label(job.error), icon=":material/error:")
    elif job.result is not None:
        _draw_report(job.result)


def _kept(folder: Path, files: list[Any]) -> list[Path]:
    """The uploaded files on disk: the library remembers papers by the file they were read from."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for file in files:
        name = Path(file.name).name or f"upload-{time.strftime('%Y%m%d-%H%M%S')}"
        path = folder / name
        path.write_bytes(file.getvalue())
        paths.append(path)
    return paths


def _draw_report(report: IngestReport) -> None:
    """What became of every record of the last files."""
    facts = report.to_dict()
    totals = facts["totals"]
    st.success(
        f"{totals['records']:,} records: {totals['added']:,} added, {totals['updated']:,} updated, "
        f"{totals['merged']:,} merged with a paper that was there, {totals['unchanged']:,} unchanged, "
        f"{totals['failed']:,} failed.",
        icon=":material/check_circle:",
    )
    for file in facts["files"]:
        counts = ", ".join(f"{file[name]:,} {name.replace('_', ' ')}" for name in _COUNTS if file[name])
        st.markdown(
            label(f"{Path(file['path']).name} ({file['format']}, {file['encoding']}): {counts or 'no records'}")
            + (label(f", {len(file['failed']):,} failed") if file["failed"] else "")
        )
    failed = [(Path(file["path"]).name, failure) for file in facts["files"] for failure in file["failed"]]
    if failed:
        with st.expander(f"Records that failed ({len(failed):,})", icon=":material/error:"):
            for name, failure in failed[:FAILURES_SHOWN]:
                where = f", line {failure['line']}" if failure.get("line") else ""
                st.markdown(label(f"{name}: record {failure['record']}{where}: {failure['reason']}"))
            if len(failed) > FAILURES_SHOWN:
                st.caption(f"and {len(failed) - FAILURES_SHOWN:,} more, in the reports folder of the library")


def draw_sources(holder: LibraryHolder) -> None:
    """The files that the library was read from, each with a way to take it out again."""
    assert holder.library is not None
    sources = holder.library.catalog.files()
    if not sources:
        st.markdown("Nothing has been read yet.")
    for place, (source, count) in enumerate(sources):
        name = Path(source).name
        # Files of the same name may lie in different folders.
        key = f"{name}-{place}"
        with st.container(key=f"source-{key}", horizontal=True, vertical_alignment="center"):
            st.markdown(label(f"{name}: {counted(count, 'paper')}"), width="content")
            if st.session_state.get("dropping") == source:
                only = len(holder.library.catalog.papers_only_from(source))
                st.button(
                    f"Remove {counted(only, 'paper')} that no other file holds", key=f"drop-{key}",
                    on_click=_drop, args=(source, holder),
                )  # fmt: skip
                st.button("Keep", key=f"keep-{key}", on_click=_ask_drop, args=("",))
            else:
                st.button("Remove…", key=f"ask-{key}", type="tertiary", on_click=_ask_drop, args=(source,))


def _ask_drop(source: str) -> None:
    st.session_state["dropping"] = source


def _drop(source: str, holder: LibraryHolder) -> None:
    assert holder.library is not None
    try:
        holder.library.remove(file=source)
    except CitewellError as error:
        st.session_state["library-error"] = str(error)
    _ask_drop("")


def draw_health(holder: LibraryHolder) -> None:
    """What `citewell doctor` says, and a way to make the indexes anew."""
    assert holder.library is not None
    library = holder.library
    job = holder.rebuilding
    if job is not None:
        was_running = not job.is_finished
        if follow(job) and was_running:
            st.session_state.pop("health", None)
            st.rerun()
        if job.error:
            st.error(label(job.error), icon=":material/error:")
    with st.container(key="health-actions", horizontal=True):
        if st.button("Examine", icon=":material/stethoscope:", key="examine"):
            with st.spinner("Comparing the indexes with the catalog"):
                st.session_state["health"] = examine(library)
        st.button("Rebuild the indexes", icon=":material/build:", key="rebuild", on_click=_rebuild, args=(holder,))
    health: Health | None = st.session_state.get("health")
    if health is None:
        st.caption("Examining runs one real query and compares what is indexed with the catalog. It changes nothing.")
        return
    held = f"{counted(health.papers, 'paper')}, {counted(health.passages, 'passage')}"
    text = f"{held}, embedded with {health.embedding_model}"
    if health.ok:
        st.success(label(f"All is well: {text}."), icon=":material/check_circle:")
    else:
        st.warning(label(f"{text}. " + " ".join(health.problems)), icon=":material/warning:")


def _rebuild(holder: LibraryHolder) -> None:
    assert holder.library is not None
    if holder.rebuilding is None or holder.rebuilding.is_finished:
        holder.rebuilding = Job(holder.library.rebuild, "Making the indexes anew")
