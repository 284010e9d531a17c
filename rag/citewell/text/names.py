"""The names that authors give their methods, and labels for abstracts that came without a title."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from citewell.text.sentences import split_sentences
from citewell.text.tokens import STOP_WORDS

_MARKUP = re.compile(
    r"\$|\\(?:texttt|textbf|textit|textsc|emph|mathrm|mathbf|mathsf|text|tt|bf|sc|it)\b\s*|[{}`]|\*\*|\\(?=[&%_#])"
)
# A name: a run of capitalised or mixed words, each with at least one capital or digit.
_WORD = r"(?:[A-Z0-9][\w]*|[a-z]{1,4}[A-Z][\w]*)(?:[-.–][A-Za-z0-9]+)*(?:\+\+|[*+])?"
_NAME = rf"{_WORD}(?:[ -]{_WORD}){{0,3}}"
_SET_PHRASE = re.compile(
    r"\b(?:dubbed|called|termed|named|namely|coined|denoted|as|abbreviated)\s+(?:as\s+|the\s+|by\s+)?[\"“‘'*_]*"
    rf"(?P<name>{_NAME})"
)
_PROPOSE = re.compile(
    r"\b(?:propose|present|introduce|develop|design|describe|unveil|release|contribute|build|devise|offer|study)s?d?\s+"
    rf"(?:the\s+|our\s+|a\s+|an\s+)?(?:\w[\w-]*\s+){{0,2}}?[\"“‘'*_]*(?P<name>{_NAME})"
)
_BRACKETED = re.compile(r"\((?P<name>(?=[^)]*[A-Z])[A-Za-z0-9][\w.*+–-]{1,19})\)")
_OWNING = re.compile(
    r"\b(?:we|this (?:paper|work|study|article)|our|is|are)\b.{0,200}?\b(?:propos|present|introduc|develop|design|"
    r"dubbed|called|term|name|coin|contribut|releas|built?|devis|formulat|defin|establish|construct|creat)",
    re.IGNORECASE | re.DOTALL,
)
_GENERIC = frozenset(
    """LLM LLMs NLP CNN CNNs GNN GNNs RNN RNNs RL RLHF MLP GPU GPUs CPU AI ML SOTA MDP MDPs SGD GAN GANs VAE VAEs API
    IID OOD KL PDE PDEs ODE ODEs SDE SDEs MCMC DNN DNNs VLM VLMs MLLM MLLMs LMM LMMs RAG ICL CoT ViT ViTs GPT BERT
    QA FL DP PAC ERM MLE EM KV MoE SSM SSMs NTK ICML In This The We Our Code It To However Extensive Experiments
    These Based Moreover Furthermore Specifically Using Additionally Finally With For By From As""".split()
)
LONGEST_HEAD = 5
# The weight of a name that heads its title.
HEADLINE = 4
# From this weight on a name is the paper's own.
OWN = 2
# A paper without a name is called by so many words of its title.
LABEL_WORDS = 5


@dataclass(frozen=True, slots=True)
class Name:
    """A method name and how sure it is that this paper owns it.

    `weight` is 4 for what stands before the title's colon or in its brackets, 3 for another name in the title, 2 for
    one that the abstract introduces, 1 for one defined in passing.
    """

    text: str
    weight: int


def strip_markup(text: str) -> str:
    """`text` without the LaTeX and Markdown that wraps names; for matching, not for showing."""
    return _MARKUP.sub("", text)


def looks_like_name(word: str) -> bool:
    """Whether a word is written as a name: an inner capital, a digit beside letters, or a closing `++` or `*`."""
    return bool(
        re.search(
            r"[a-z0-9-].*[A-Z]|^[A-Z]{2,}[a-z]?s?$|^[A-Z]{2,}[-\w]*$|[A-Za-z]-?\d|\d-?[A-Za-z].*[A-Z]|\+\+$|[A-Za-z][*]$",
            word,
        )
    ) and not re.fullmatch(r"[A-Z]?[a-z]+(?:-[A-Z]?[a-z]+)+", word)


def title_names(title: str) -> list[Name]:
    """Names in a title: what stands before its colon, when short, what stands in brackets, words written as names."""
    clean = strip_markup(title).strip()
    found: dict[str, int] = {}
    head, colon, _ = clean.partition(":")
    words = head.split()
    if colon and 1 <= len(words) <= LONGEST_HEAD and any(looks_like_name(w) or w[0].isupper() for w in words):
        kind = words[0].lower() in {"position", "towards", "toward"} or (
            words[0].lower() in {"on", "the", "a", "an"} and len(words) <= 3
        )
        if not kind:
            found[head.strip()] = HEADLINE
    if match := re.search(r"\(([A-Z][\w*+-]{1,15})\)", clean):
        found.setdefault(match.group(1), HEADLINE)
    for word in re.findall(rf"(?<![\w-]){_WORD}(?![\w])", clean):
        if looks_like_name(word) and word not in _GENERIC:
            found.setdefault(word, 3)
    return [Name(text, weight) for text, weight in found.items()]


def headline_names(title: str) -> list[str]:
    """The names that head a title: what stands before its colon or in its brackets."""
    return [name.text for name in title_names(title) if name.weight == HEADLINE]


def abstract_names(abstract: str) -> list[Name]:
    """Names that the abstract itself says its authors gave, best first."""
    found: dict[str, int] = {}

    def add(text: str, weight: int) -> None:
        text = text.strip(" -.,'’\"")
        words = text.split()
        while words and (words[0] in _GENERIC or words[0].lower() in STOP_WORDS):
            words = words[1:]
        text = " ".join(words)
        if len(text) < 2 or text in _GENERIC or not any(ch.isalpha() for ch in text):
            return
        found[text] = max(found.get(text, 0), weight)

    clean = strip_markup(abstract)
    for start, end in split_sentences(clean):
        sentence = clean[start:end]
        verb = _OWNING.search(sentence)
        owning = verb is not None
        for match in _SET_PHRASE.finditer(sentence):
            if owning or match.group().startswith(("dubbed", "called", "termed", "named", "namely", "coined")):
                add(match.group("name"), 2)
        for match in _PROPOSE.finditer(sentence):
            if owning:
                name = match.group("name")
                add(name, 2 if looks_like_name(name.split()[0]) or " " in name else 1)
        for match in _BRACKETED.finditer(sentence):
            between = sentence[verb.end() : match.start()] if verb else ""
            named_by_verb = bool(verb) and 0 < len(between) <= 90 and not re.search(r"[,;:]|\bfor\b|\bof\b", between)
            add(match.group("name"), 2 if named_by_verb else 1)
    return sorted((Name(text, weight) for text, weight in found.items()), key=lambda name: -name.weight)


def paper_names(title: str, abstract: str) -> list[Name]:
    """Every name by which the paper may be asked for, best first."""
    found: dict[str, Name] = {}
    for name in (*title_names(title), *abstract_names(abstract)):
        found.setdefault(name_key(name.text), name)
    return sorted((name for key, name in found.items() if key), key=lambda name: -name.weight)


@lru_cache(maxsize=8_192)
def own_name(title: str, abstract: str) -> str:
    """The name that the authors gave their method; empty when they gave none."""
    names = paper_names(title, abstract)
    return names[0].text if names and names[0].weight >= OWN else ""


def name_key(text: str) -> str:
    """The form in which names are compared: lower case, blanks, hyphens and commas folded, `++` and `*` kept."""
    return re.sub(r"[\s–—&,;:-]+", " ", strip_markup(text).casefold()).strip(" .,;:!?\"'“”‘’()[]")


def label_from_text(abstract: str, words: int = 9) -> str:
    """A short title for an untitled abstract, made of its own words: its method's name, else its first words."""
    clean = strip_markup(abstract)
    for name in abstract_names(abstract):
        if name.weight >= 2 and name.text in abstract and len(name.text) <= 60 and not name.text.isdigit():
            return name.text
    first = split_sentences(abstract)[:1] or [(0, len(clean))]
    opening = abstract[first[0][0] : first[0][1]].split()
    label = " ".join(opening[:words])
    return label if len(opening) <= words else label.rstrip(",;:") + "…"
