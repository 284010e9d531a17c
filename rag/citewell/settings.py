"""Every setting of Citewell, read from `CITEWELL_*` variables, a `.env` file, or arguments, in that order of age."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import Literal

from dotenv import dotenv_values
from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from citewell.errors import CitewellError

BUNDLED_MODEL = "bundled"


class Settings(BaseSettings):
    """One field a setting; the description is the line printed in `.env.example`."""

    model_config = SettingsConfigDict(
        env_prefix="CITEWELL_", env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True
    )

    home: Path = Field(
        default_factory=lambda: user_data_path("citewell", appauthor=False),
        description="Folder that holds the library; empty means the platform's user data folder.",
    )
    seed: bool = Field(default=True, description="Index the shipped seed abstracts when the library is empty.")
    embedding_model: str = Field(
        default=BUNDLED_MODEL,
        description="Embedding model: 'bundled' (all-MiniLM-L6-v2), or any sentence-transformers name or folder.",
    )
    offline: bool = Field(
        default=True,
        description="Never contact a model hub; set to false to let a named model be downloaded.",
    )
    chroma_url: str = Field(
        default="",
        description="Address of a Chroma server; empty means an embedded store in the home folder.",
    )
    chroma_token: SecretStr = Field(default=SecretStr(""), description="Bearer token for the Chroma server.")
    chroma_tenant: str = Field(default="default_tenant", description="Tenant on the Chroma server.")
    chroma_database: str = Field(default="default_database", description="Database on the Chroma server.")
    collection: str = Field(
        default="citewell-passages", description="Name of the Chroma collection; one library per collection."
    )
    reranker: str = Field(
        default="",
        description="Cross-encoder (name or folder) that reorders the best papers; empty means none.",
    )
    nli_model: str = Field(
        default="",
        description="Inference cross-encoder (name or folder) that joins the support check; empty means none.",
    )
    llm: str = Field(
        default="",
        description="Writer as provider:model, such as openai:gpt-5-mini; empty means extractive answers.",
    )
    llm_base_url: str = Field(default="", description="Address of an OpenAI-compatible server for the writer.")
    llm_api_key: SecretStr = Field(
        default=SecretStr(""), description="Key for the writer; empty means the provider's own variable."
    )
    llm_timeout: float = Field(
        default=60.0,
        gt=0,
        le=3600,
        description="Seconds to wait for the writer before the extractive answer is used.",
    )
    llm_max_tokens: int = Field(
        default=700, ge=16, le=32_000, description="Longest reply asked of the writer, in tokens."
    )
    max_sources: int = Field(default=6, ge=1, le=20, description="Most papers that one answer may cite.")
    strictness: Literal["lenient", "normal", "strict"] = Field(
        default="normal",
        description="How sure the library must be before it answers: lenient, normal or strict.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="WARNING", description="Level of the log on stderr: DEBUG, INFO, WARNING or ERROR."
    )


def load_settings(**overrides: object) -> Settings:
    """Settings from the environment and `.env`, with `overrides` on top.

    Empty variables count as unset. Raises `CitewellError` naming the variable when a value is out of range.
    """
    try:
        settings = Settings(**overrides)  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = "_".join(str(part) for part in first["loc"]).upper()
        raise CitewellError(
            f"The setting CITEWELL_{name} cannot be used: {first['msg'].lower()}.",
            "Correct it in the environment or in .env; .env.example lists every setting.",
        ) from None
    return settings.model_copy(update={"home": settings.home.expanduser().absolute()})


def origins(settings: Settings, session: Collection[str] = ()) -> dict[str, str]:
    """Where each setting's value comes from: this session, the environment, `.env`, or the default.

    `session` names the settings that were changed in this session.
    """
    in_file = {name.upper() for name, value in dotenv_values(".env").items() if value}
    found = {}
    for name in Settings.model_fields:
        variable = f"CITEWELL_{name}".upper()
        found[name] = (
            "this session"
            if name in session
            else "environment"
            if os.environ.get(variable)
            else ".env"
            if variable in in_file
            else "default"
        )
    return found


def quiet_environment(settings: Settings | None = None) -> None:
    """Turn off telemetry and hub access, for this process and its children.

    Must run before chromadb, streamlit, transformers or langchain are imported: they read these variables once.
    """
    os.environ.update(
        ANONYMIZED_TELEMETRY="False",
        DO_NOT_TRACK="1",
        HF_HUB_DISABLE_TELEMETRY="1",
        LANGCHAIN_TRACING_V2="false",
        LANGSMITH_TRACING="false",
        STREAMLIT_BROWSER_GATHER_USAGE_STATS="false",
        TOKENIZERS_PARALLELISM="false",
        TRANSFORMERS_VERBOSITY="error",
        HF_HUB_DISABLE_PROGRESS_BARS="1",
    )
    if settings is None or settings.offline:
        os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")
