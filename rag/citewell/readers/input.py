"""Where the bytes of a bibliography come from: a file, or a member of a zip archive, never unpacked to disk."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from charset_normalizer import from_bytes

from citewell.errors import UnreadableFile

HEAD = 256 * 1024
# A zip that holds more than this, or that unpacks to so many times its size, is taken for a bomb.
LARGEST_MEMBER = 1024**3
LARGEST_RATIO = 200
SMALLEST_SUSPECT = 10 * 1024**2


@dataclass(frozen=True, slots=True)
class Source:
    """Bytes that can be read from the start as often as needed. `member` names the file inside the archive `path`."""

    path: Path
    member: str = ""
    head: bytes = field(default=b"", repr=False)

    @property
    def name(self) -> str:
        """The path as it is reported: `papers.zip/2024/a.bib` for a member."""
        return f"{self.path}/{self.member}" if self.member else str(self.path)

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.member or self.path.name).suffix.lower()

    def open(self) -> BinaryIO:
        if not self.member:
            return self.path.open("rb")
        with zipfile.ZipFile(self.path) as archive:
            return io.BytesIO(archive.read(self.member))

    def text(self, encoding: str) -> str:
        """All of it, decoded; what cannot be is replaced."""
        with self.open() as stream:
            return stream.read().decode(encoding, errors="replace").lstrip("\ufeff")

    def lines(self, encoding: str) -> Iterator[str]:
        """The lines, read as they are asked for, with their ends."""
        with self.open() as stream, io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="") as text:
            for number, line in enumerate(text):
                yield line.lstrip("\ufeff") if number == 0 else line


def open_source(path: Path, member: str = "") -> Source:
    """A source with its first bytes read. Raises `UnreadableFile`."""
    try:
        with Source(path, member).open() as stream:
            return Source(path, member, stream.read(HEAD))
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror or error}.", "Nothing was changed.") from None
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, KeyError, EOFError, ValueError) as error:
        raise UnreadableFile(f"{path}/{member} cannot be unpacked: {error}.", "Nothing was changed.") from None


def zip_members(path: Path) -> list[str]:
    """Names of the files in an archive, without hidden ones. Raises `UnreadableFile` for a bomb or a climbing path."""
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError) as error:
        raise UnreadableFile(f"{path} is a damaged zip archive: {error}.", "Nothing was changed.") from None
    for info in infos:
        parts = PurePosixPath(info.filename.replace("\\", "/")).parts
        if ".." in parts or info.filename.startswith(("/", "\\")) or (parts and ":" in parts[0]):
            raise UnreadableFile(f"{path} holds a path that leads out of it: {info.filename}.", "Nothing was changed.")
        ratio = info.file_size / max(1, info.compress_size)
        if info.file_size > LARGEST_MEMBER or (info.file_size > SMALLEST_SUSPECT and ratio > LARGEST_RATIO):
            raise UnreadableFile(
                f"{path} would unpack to far more than it holds ({info.filename}: {info.file_size:,} bytes).",
                "Unpack it yourself if you trust it. Nothing was changed.",
            )
    names = [info.filename for info in infos]
    return sorted(n for n in names if not any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(n).parts))


def encoding_of(source: Source) -> str:
    """The encoding, guessed from the first bytes when it is neither UTF-8 nor marked. Raises `UnreadableFile`."""
    head = source.head
    if head.startswith(b"\xef\xbb\xbf"):
        return "utf-8-sig"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        head.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError as error:
        if len(head) == HEAD and error.start > len(head) - 4:  # a character cut by the end of the head
            return "utf-8"
    for encoding, letters, share in _ASIAN:
        if _reads_as(head, encoding, letters, share):
            return encoding
    best = from_bytes(head).best()
    if best is None or b"\x00" in head:
        raise UnreadableFile(f"{source.name} is not text.", "Nothing was changed.")
    return best.encoding


# Double-byte encodings decode one another's bytes: Chinese read as Korean gives Hangul, but not the syllables that
# Korean is made of. With each encoding goes the share of its foreign characters that must be of the given kind.
_ASIAN = (
    ("shift_jis", re.compile("[\u3041-\u30fe]"), 0.3),
    ("euc_kr", re.compile("[이다는의에을가한고지를은로도서하어나사자기들리그인스아시해대수부정보제일전주구연과]"), 0.3),
    ("gb18030", re.compile("[\u4e00-\u9fff]"), 0.6),
    ("big5", re.compile("[\u4e00-\u9fff]"), 0.6),
)


def _reads_as(head: bytes, encoding: str, letters: re.Pattern[str], share: float) -> bool:
    try:
        text = head.decode(encoding)
    except UnicodeDecodeError as error:
        if error.start < len(head) - 4:
            return False
        text = head[: error.start].decode(encoding)
    foreign = [ch for ch in text if ord(ch) > 0x7F]
    # A Western text read as an Asian one has its odd letters singly, between plain ones.
    runs = re.findall(r"[^\x00-\x7f]{2,}", text)
    return len("".join(runs)) > 0.6 * len(foreign) and len(letters.findall(text)) >= share * len(foreign)
