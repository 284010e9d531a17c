"""Conversations: follow-up questions, what is kept of them on disk, exports."""

from citewell.chat.conversation import Conversation, Turn
from citewell.chat.store import ConversationStore

__all__ = ["Conversation", "ConversationStore", "Turn"]
