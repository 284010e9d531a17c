"""Conversations: follow-up questions, what is kept of them on disk, exports."""

from rag.chat.conversation import Conversation, Turn
from rag.chat.store import ConversationStore

__all__ = ["Conversation", "ConversationStore", "Turn"]
