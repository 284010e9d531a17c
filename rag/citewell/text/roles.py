"""What each sentence of an abstract does there: sets the scene, states the problem, the approach, the results.

A rule of thumb over cue words and order: what stands before the first sentence in which the authors speak of
their own work is background or problem; from there on the text moves from approach to method to results.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache


class Role(StrEnum):
    """The part that a sentence plays in its abstract."""

    BACKGROUND = "background"
    PROBLEM = "problem"
    APPROACH = "approach"
    METHOD = "method"
    RESULT = "result"
    RESOURCE = "resource"


_OWN = re.compile(
    r"\b(?:we|our|us|this (?:paper|work|study|article|research|position paper)|in this (?:paper|work|study|article)|"
    r"the (?:proposed|present|presented) \w+|here,|it is (?:found|shown|proved|proven|demonstrated))\b",
    re.IGNORECASE,
)
_PROPOSE = re.compile(
    r"\b(?:propos\w+|introduc\w+|present(?:s|ed)?|develop(?:s|ed)?|design(?:s|ed)?|devis\w+|formulat\w+|formaliz\w+|"
    r"argue|call for|advocate|stud(?:y|ies)|investigat\w+|consider|initiate|establish|provide|offer|describe|explore|"
    r"address|tackle|aim|dubbed|called|named|termed|takes?)\b",
    re.IGNORECASE,
)
_PROBLEM = re.compile(
    r"\b(?:however|yet|but|unfortunately|despite|although|while|nevertheless|challeng\w*|problem\w*|limit(?:ed|ation\w*|s)|"
    r"suffer\w*|struggl\w*|lack\w*|difficult\w*|fail\w*|costly|expensive|hinder\w*|remains?|underexplored|unclear|"
    r"poor(?:ly)?|insufficient\w*|suboptimal|constrained|prohibitive|issue\w*|concerns?|gap)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"^(?:however, |yet |while |although |unfortunately, )?(?:many |most |the )?(?:existing|previous|prior|current|"
    r"traditional|conventional|recent|other|standard) (?:[\w-]+ ){0,4}?"
    r"(?:methods?|approaches|works?|models?|techniques?|studies|solutions|algorithms?|research|systems|frameworks|"
    r"benchmarks|datasets|efforts|literature)\b"
    r"|\b(?:has|have) (?:\w+ )?been (?:\w+ )?(?:studied|explored|investigated|proposed|considered|used|shown|widely)\b",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"\b(?:experiment\w*|evaluations?|empirical\w*|results?|outperform\w*|state-of-the-art|sota|achiev\w+|surpass\w*|"
    r"demonstrat\w+|improv(?:es?|ed|ing|ements?)|show(?:s|n|ed|case)? (?:that|the|how|its)|"
    r"we (?:find|show|observe|prove|also prove|validate|report)|"
    r"we (?:also |further )?(?:theoretically|empirically|experimentally)|superior\w*|"
    r"reduc(?:es|ed|tion)|speed-?ups?|gains?|effectiveness|validat\w+|confirm\w*|reveal\w*|"
    r"analysis (?:shows|reveals))\b",
    re.IGNORECASE,
)
_RESOURCE = re.compile(
    r"\b(?:codes?|data ?sets?|models?|checkpoints?|implementation|project page|demo)\b.{0,60}\b(?:available|released?|"
    r"open-?sourced?|found at|accessible)\b|\bopen-?source (?:our|the|all)\b|"
    r"\b(?:github|huggingface)\.(?:com|co|io)\b|^code:",
    re.IGNORECASE,
)


def sentence_roles(sentences: Sequence[str]) -> list[Role]:
    """The role of each sentence of one abstract, in order; remembered, for the same abstracts come up again."""
    return list(_roles(tuple(sentences)))


@lru_cache(maxsize=4_096)
def _roles(sentences: tuple[str, ...]) -> tuple[Role, ...]:
    own = next((k for k, text in enumerate(sentences) if _OWN.search(text) and not _is_resource(text)), None)
    if own is None:
        own = next((k for k, text in enumerate(sentences) if _PROPOSE.search(text)), 0)
    roles: list[Role] = []
    for position, text in enumerate(sentences):
        if _is_resource(text):
            roles.append(Role.RESOURCE)
        elif position < own or (_OTHERS.search(text) and not _OWN.search(text)):
            roles.append(Role.PROBLEM if _PROBLEM.search(text) else Role.BACKGROUND)
        elif position == own or (_OWN.search(text) and _PROPOSE.search(text) and not _strong_result(text)):
            roles.append(Role.APPROACH)
        else:
            roles.append(Role.RESULT if _RESULT.search(text) else Role.METHOD)
    return tuple(roles)


def _is_resource(text: str) -> bool:
    return bool(_RESOURCE.search(text))


def _strong_result(text: str) -> bool:
    return len(_RESULT.findall(text)) >= 2
