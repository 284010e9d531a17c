"""What kind of place a paper appeared in, as far as its name tells."""

from __future__ import annotations

import re

_CONFERENCE = re.compile(r"conference|proceedings|workshop|symposium|ICML|NeurIPS|ICLR|ACL|CVPR")


def is_conference(venue: str) -> bool:
    """Whether a venue is a conference rather than a journal."""
    return _CONFERENCE.search(venue) is not None
