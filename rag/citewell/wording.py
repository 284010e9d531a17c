"""Every fixed sentence that Citewell says to a person: refusals, notices, doubts, remarks, hints.

The keys are the values of the enumerations that they put into words; `{…}` is filled in from their fields. "earlier"
is the text of an answer from before there were kinds.
"""

from __future__ import annotations

REFUSALS = {
    "not-in-library": "The library does not hold an answer to this question.",
    "unknown-name": "Nothing in the library speaks of “{missing}”.",
    "nobody-says": "No abstract in the library says this.",
    "not-stated": "The abstract of “{title}” does not state this: it never speaks of “{missing}”.",
    "no-abstract": "The library holds “{title}”, but without its abstract, so there is nothing to answer from.",
    "nothing-matches": "Nothing in the library matches the words of this question.",
    "nothing-passes": "No paper of the library that the question finds passes its filters ({missing}).",
    "empty-library": "The library is empty. Add papers with: citewell ingest FILE",
    "earlier": "{missing}",
}
NOT_IN_LIBRARY = REFUSALS["not-in-library"]
NEAREST = "The nearest papers are:"
NEAREST_STATED = "What it does state that comes nearest:"

NOTICES = {
    "pending": "{count} papers are not indexed yet; finish with: citewell doctor --repair",
    "words-only": "Searched by words only. {reason}",
    "missing-part": "The library holds no answer to this part of the question: “{part}”",
    "unknown-name": "Nothing in the library speaks of “{name}”.",
    "left-out": "A table holds at most {most} papers; left out: {names}.",
    "model-failed": "{trouble} This answer is made of quotes instead.",
    "model-empty": "{model} wrote nothing. This answer is made of quotes instead.",
    "model-stopped": "Stopped before the model had finished.",
    "model-unsupported": (
        "Most of what {model} wrote is not supported by the abstracts: quotes are shown, its text is below."
    ),
    "markers-removed": "{what} that pointed to no source removed.",
    "repeats-cut": "{what} cut.",
    "table-without-model": "{trouble} This table is made without it.",
    "cells-without-model": "{trouble} Its cells are found without the model.",
    "quotes-not-found": (
        "{missing} of {offered} quotes by {model} are not in the abstracts; these cells are found without."
    ),
    "earlier": "{text}",
}
STORE_IN_USE = "The vector store is in use by {holder}."

DOUBTS = {
    "numbers": "the words cited do not state {words}",
    "not-said": "no sentence of the abstract says this",
    "names": "the abstract does not speak of {words}",
    "reversed": "the abstract may say the reverse: {words}",
    "something-near": "the abstract says something near, but not quite this",
    "contradicted": "the entailment model reads a contradiction",
    "earlier": "{words}",
}
REVERSALS = {
    "opposite": "“{mine}” against “{theirs}”",
    "denied": "only one of the two denies “{word}”",
    "swapped": "who is better is turned round",
}
SAYS = {
    "supported": "says this",
    "partly": "says something near",
    "unsupported": "does not say this",
    "uncited": "does not say this",
}

NOT_STATED_IN_ABSTRACT = "not stated in the abstract"
BOTH_SPEAK, ALL_SPEAK = "Both abstracts speak of {words}.", "All of the abstracts speak of {words}."
ALONE_SPEAKS = "{name} alone of {words}"
NOT_COMPARABLE = "The results are figures of different data or measures, so they cannot be set side by side."
DISAGREE, SETTINGS = "Where they disagree", "Differing settings"
MAY_DISAGREE = "{one} and {other} may disagree ({how}): “{first}” and “{second}”"
TESTED_DIFFERENTLY = "They are tested on different things, so their results cannot be set side by side. {what}."

GREETING = (
    "Hello! Ask me anything about the papers in this library; every sentence I answer shows the words that back it."
)
THANKS = "You are welcome. Ask on whenever you like."
HELP = (
    "I answer questions from the abstracts in this library, and every sentence carries a citation. Ask what a method "
    "does, which papers work on a topic, how large an improvement is, or to summarise a paper."
)
COMPARE_THESE, SUMMARISE_THESE = "Compare {names}", "Summarise {names}"

# What a question was taken for.
ABOUT, ABOUT_COUNTED, ABOUT_COMPARISON, TAKEN_AS = "about {names}", "about {papers}", "about the comparison", "“{text}”"
AND_MORE = " and {count:,} more"

# What became of a paper that was found.
OUTCOMES = {
    "cited": "cited",
    "near": "near, but not enough to answer",
    "no-abstract": "left out: it has no abstract",
    "outranked": "left out: the papers before it answer better",
    "less-direct": "left out: its sentences answer less directly than those of the cited papers",
}

# Questions to begin or to go on with.
EXAMPLES = {
    "define": "What is {name}?",
    "about": "Which papers are about {topic}?",
    "summarise": "Summarise {name}.",
    "compare": "Compare {one} and {other}",
}
SUGGESTIONS = {
    "results": "What results does {name} report?",
    "data and benchmarks": "Which data was {name} tested on?",
    "problem": "What problem does {name} solve?",
    "approach": "How does {name} work?",
    "limits": "What are the limits of {name}?",
    "code": "Is the code of {name} available?",
    "compare": "Compare {one} and {other}",
    "differ": "How does {one} differ from {other}?",
    "which-code": "Which one has code?",
    "only-results": "Only the results",
}
FIRST_QUESTIONS = {
    "one": ("Summarise this paper", "What results does it report?", "Is the code available?"),
    "few": ("Compare these papers", "Summarise these papers", "Which methods do they propose?"),
    "many": ("Summarise these papers", "What problems do they address?", "Which methods do they propose?"),
}


def counted(count: int, noun: str) -> str:
    """ "1 paper", "1,204 papers"."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
