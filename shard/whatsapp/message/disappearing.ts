import { proto, type Chat, type WAMessage } from "@whiskeysockets/baileys";
import { isUserJid } from "../jid.js";
import { noTimer, type ChatTimer } from "./chat-timers.js";
import { addContext, contentOf } from "./context-info.js";

/** The timer in a message. `setAt` is not known for every group. */
export type Timer = Pick<ChatTimer, "seconds"> & Partial<ChatTimer>;

/** Sets when a message disappears: a recipient's phone does not apply the timer of the chat by itself. */
export function setTimer(message: proto.IMessage, { seconds, setAt, isDefault }: Timer): void {
  addContext(message, {
    expiration: seconds,
    ...(setAt === undefined ? {} : { ephemeralSettingTimestamp: setAt }),
    ...(isDefault === true ? { disappearingMode: ofAccountSetting() } : {}),
  });
}

/** Returns the chat's timer that a message contains; `undefined` when it contains none. */
export function timerIn({ message, messageTimestamp }: WAMessage): ChatTimer | undefined {
  const { expiration, ephemeralSettingTimestamp } = contentOf(message ?? {})?.contextInfo ?? {};
  const setAt = Number(ephemeralSettingTimestamp ?? 0) || Number(messageTimestamp ?? 0);
  return expiration ? { seconds: expiration, setAt } : undefined;
}

/** True for a message that is visible in its chat. */
export function isSeen({ message }: WAMessage): boolean {
  const content = contentOf(message ?? {});
  return content !== undefined && content !== message?.protocolMessage;
}

/** Returns the timer of a chat that starts now. `own`: the account's default timer in seconds, 0 for off. */
export function startingTimer(own: number): ChatTimer {
  return own === 0 ? noTimer : { seconds: own, setAt: Math.floor(Date.now() / 1_000), isDefault: true };
}

function ofAccountSetting(): proto.IDisappearingMode {
  const { Initiator, Trigger } = proto.DisappearingMode;
  return { initiator: Initiator.INITIATED_BY_ME, trigger: Trigger.ACCOUNT_SETTING, initiatedByMe: true };
}

/** Returns the timer that a change of a chat sets; `undefined` for other changes. */
export function timerOf(change: Partial<Chat>): ChatTimer | undefined {
  if (!("ephemeralExpiration" in change)) return undefined;
  return { seconds: change.ephemeralExpiration ?? 0, setAt: Number(change.ephemeralSettingTimestamp ?? 0) };
}

/** Returns the timers of the private chats in a history, by JID. */
export function timersOf(chats: readonly Chat[]): Map<string, ChatTimer> {
  return new Map(chats.flatMap((chat) => (chat.id && isUserJid(chat.id) ? [[chat.id, { ...noTimer, ...timerOf(chat) }] as const] : [])));
}
