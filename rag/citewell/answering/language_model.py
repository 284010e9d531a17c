"""The configured language model: made by LangChain, failures turned into one plain sentence each."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING, Any

from citewell.errors import LanguageModelError
from citewell.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

RETRIES = 2
# Provider: the package that speaks to it, the extra that installs the package, the variable that holds its key.
_PROVIDERS = {
    "openai": ("langchain_openai", "openai", "OPENAI_API_KEY"),
    "anthropic": ("langchain_anthropic", "anthropic", "ANTHROPIC_API_KEY"),
    "ollama": ("langchain_ollama", "ollama", ""),
    "google_genai": ("langchain_google_genai", "google", "GOOGLE_API_KEY"),
}
_ALIASES = {"google": "google_genai", "gemini": "google_genai", "claude": "anthropic"}
_KEY_LIKE = re.compile(r"\b(?:sk|pk|key|api|AIza)[-_A-Za-z0-9*.]{12,}")


def model_name(settings: Settings) -> str:
    """The model as shown to the user; empty when answers are extractive."""
    return settings.llm.strip()


class Writer:
    """Who writes the prose: the configured language model, one that is handed over, or nobody (quotes)."""

    def __init__(self, settings: Settings, model: BaseChatModel | None = None) -> None:
        self.settings = settings
        self._model = model

    @property
    def name(self) -> str:
        """The name of the model that writes; empty when answers are made of quotes."""
        return model_name(self.settings) or (type(self._model).__name__ if self._model is not None else "")

    def chat_model(self) -> BaseChatModel:
        """The language model. Raises `LanguageModelError` when there is none or it cannot be made."""
        return self._model if self._model is not None else make_chat_model(self.settings)


def make_chat_model(settings: Settings) -> BaseChatModel:
    """The chat model that `CITEWELL_LLM` names. Raises `LanguageModelError` with what to do when it cannot be made."""
    provider, _, model = settings.llm.strip().partition(":")
    provider = _ALIASES.get(provider.lower(), provider.lower())
    if not model:
        raise LanguageModelError(
            f"CITEWELL_LLM is “{settings.llm}”, but provider:model is expected.",
            "Write it like openai:gpt-5-mini, anthropic:claude-haiku-4-5 or ollama:llama3.2.",
        )
    if provider not in _PROVIDERS:
        raise LanguageModelError(
            f"There is no provider “{provider}” in CITEWELL_LLM.",
            f"Known are {', '.join(_PROVIDERS)}; for any other server use openai:MODEL with CITEWELL_LLM_BASE_URL.",
        )
    package, extra, variable = _PROVIDERS[provider]
    key = settings.llm_api_key.get_secret_value() or os.environ.get(variable, "")
    options: dict[str, Any] = {
        "timeout": settings.llm_timeout,
        "max_retries": RETRIES,
        "max_tokens": settings.llm_max_tokens,
        "temperature": 0.0,
    }
    if settings.llm_base_url:
        options["base_url"] = settings.llm_base_url
        key = key or ("not-needed" if provider == "openai" else "")
    if provider == "ollama":
        options = {
            "num_predict": settings.llm_max_tokens,
            "temperature": 0.0,
            "client_kwargs": {"timeout": settings.llm_timeout},
        }
        if settings.llm_base_url:
            options["base_url"] = settings.llm_base_url
    elif not key:
        raise LanguageModelError(
            f"No key for {provider} is set.",
            f"Set {variable} or CITEWELL_LLM_API_KEY, or leave CITEWELL_LLM empty.",
        )
    else:
        options["api_key"] = key
    try:
        __import__(package)
    except ImportError:
        install = f"pip install 'citewell[{extra}]'"
        raise LanguageModelError(
            f"The package for {provider} is not installed.", f"Install it with: {install}"
        ) from None
    from langchain.chat_models import init_chat_model

    try:
        chat: BaseChatModel = init_chat_model(model, model_provider=provider, **options)
        return chat
    except Exception as error:
        raise explain(error, settings) from None


def test_connection(settings: Settings) -> str:
    """Ask the configured model for one word and say plainly what came. Raises `LanguageModelError`."""
    model = make_chat_model(settings)
    began = time.perf_counter()
    try:
        reply = model.invoke("Reply with the one word: ready")
    except Exception as error:
        raise explain(error, settings) from None
    words = " ".join(str(reply.text).split())
    return f"{model_name(settings)} answered in {time.perf_counter() - began:.1f} s: “{words[:60]}”"


def explain(error: BaseException, settings: Settings) -> LanguageModelError:
    """Any failure of a model call as one sentence and what to do; never with the key in it."""
    if isinstance(error, LanguageModelError):
        return error
    model, where = model_name(settings), settings.llm_base_url or "its provider"
    chain = [error, *_causes(error)]
    names = " ".join(type(item).__name__ for item in chain).lower()
    status = next((code for item in chain if isinstance(code := getattr(item, "status_code", None), int)), 0)
    if status in (401, 403) or "authentication" in names or "permissiondenied" in names:
        return LanguageModelError(
            f"The key for {model} was refused.", "Check CITEWELL_LLM_API_KEY or the provider's own variable."
        )
    if status == 404 or "notfound" in names:
        return LanguageModelError(f"{where} does not know the model of {model}.", "Check the name in CITEWELL_LLM.")
    if status == 429 or "ratelimit" in names:
        return LanguageModelError(
            f"{model} is over its rate limit or quota.", "Wait a minute and ask again, or check your plan."
        )
    if "timeout" in names or status in (408, 504):
        return LanguageModelError(
            f"{model} did not answer within {settings.llm_timeout:g} seconds.",
            "Ask again, or raise CITEWELL_LLM_TIMEOUT.",
        )
    if "remoteprotocol" in names or "incompleteread" in names or "chunkedencoding" in names or "readerror" in names:
        return LanguageModelError(f"The reply of {model} broke off.", "Ask again.")
    if "connect" in names or "connection" in names:
        return LanguageModelError(
            f"{model} cannot be reached at {where}.",
            "Check that the server runs and that CITEWELL_LLM_BASE_URL is right.",
        )
    if status >= 500:
        return LanguageModelError(f"{where} failed with error {status}.", "Ask again later.")
    detail = str(error).strip().splitlines()[0][:160] if str(error).strip() else type(error).__name__
    return LanguageModelError(f"{model} failed: {redacted(detail, settings)}", "Check CITEWELL_LLM and its options.")


def redacted(text: str, settings: Settings) -> str:
    """`text` without the configured key or anything that looks like one."""
    key = settings.llm_api_key.get_secret_value()
    keys = [key, *(os.environ.get(variable, "") for _, _, variable in _PROVIDERS.values() if variable)]
    for secret in keys:
        if secret:
            text = text.replace(secret, "…")
    return _KEY_LIKE.sub("…", text)


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    current = error.__cause__ or error.__context__
    while current is not None and len(found) < 6:
        found.append(current)
        current = current.__cause__ or current.__context__
    return found
