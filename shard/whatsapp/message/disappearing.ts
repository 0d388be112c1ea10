import { getContentType, normalizeMessageContent, type Chat, type proto, type WAMessage } from "@whiskeysockets/baileys";
import type { ChatTimer } from "./chat-timers.js";

/** What a message says of its chat's timer. When it was set is not known of every group. */
export type Timer = Pick<ChatTimer, "seconds"> & Partial<ChatTimer>;

/** Says in a message when it disappears: a recipient's phone does not apply the timer of the chat by itself. */
export function setTimer(message: proto.IMessage, { seconds, setAt }: Timer): void {
  const content = contentOf(message);
  if (content === undefined) return;
  content.contextInfo = {
    ...content.contextInfo,
    expiration: seconds,
    ...(setAt === undefined ? {} : { ephemeralSettingTimestamp: setAt }),
  };
}

/** The timer that a message shows its chat to have; `undefined` when it shows none. */
export function timerIn({ message, messageTimestamp }: WAMessage): ChatTimer | undefined {
  const { expiration, ephemeralSettingTimestamp } = contentOf(message ?? {})?.contextInfo ?? {};
  const setAt = Number(ephemeralSettingTimestamp ?? 0) || Number(messageTimestamp ?? 0);
  return expiration ? { seconds: expiration, setAt } : undefined;
}

/** The timer that a change of a chat sets; `undefined` for other changes. */
export function timerOf(change: Partial<Chat>): ChatTimer | undefined {
  if (!("ephemeralExpiration" in change)) return undefined;
  return { seconds: change.ephemeralExpiration ?? 0, setAt: Number(change.ephemeralSettingTimestamp ?? 0) };
}

interface WithContext {
  contextInfo?: proto.IContextInfo | null;
}

function contentOf(message: proto.IMessage): WithContext | undefined {
  const inner = normalizeMessageContent(message);
  const type = inner === undefined ? undefined : getContentType(inner);
  const content: unknown = inner === undefined || type === undefined ? undefined : inner[type];
  return typeof content === "object" && content !== null ? content : undefined;
}
