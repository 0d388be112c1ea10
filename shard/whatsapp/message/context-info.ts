import { getContentType, normalizeMessageContent, type proto } from "@whiskeysockets/baileys";

export interface WithContext {
  contextInfo?: proto.IContextInfo | null;
}

/** Returns the content inside a message's envelopes. */
export function contentOf(message: proto.IMessage): WithContext | undefined {
  const inner = normalizeMessageContent(message);
  const type = inner === undefined ? undefined : getContentType(inner);
  const content: unknown = inner === undefined || type === undefined ? undefined : inner[type];
  return typeof content === "object" && content !== null ? content : undefined;
}

/** Adds facts about other messages and people to a message. Plain text without an envelope cannot hold any. */
export function addContext(message: proto.IMessage, context: proto.IContextInfo): void {
  const content = contentOf(message);
  if (content !== undefined) content.contextInfo = { ...content.contextInfo, ...context };
}
