import { getBinaryNodeChild, type BinaryNode } from "@whiskeysockets/baileys";
import type { ChatTimer } from "./chat-timers.js";

/**
 * Reads the timer that a person (JID) has set for new private chats; `undefined` when the platform returns none. Rejects with the
 * platform's error.
 */
export async function readDefaultTimer(query: (question: BinaryNode) => Promise<BinaryNode>, jid: string): Promise<ChatTimer | undefined> {
  const content: BinaryNode[] = [
    { tag: "query", attrs: {}, content: [{ tag: "disappearing_mode", attrs: {} }] },
    { tag: "list", attrs: {}, content: [{ tag: "user", attrs: { jid } }] },
  ];
  const attrs = { context: "interactive", mode: "query", sid: "timers", index: "0", last: "true" };
  const response = await query({
    tag: "iq",
    attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "usync" },
    content: [{ tag: "usync", attrs, content }],
  });
  const user = getBinaryNodeChild(getBinaryNodeChild(getBinaryNodeChild(response, "usync"), "list"), "user");
  const { duration, t } = getBinaryNodeChild(user, "disappearing_mode")?.attrs ?? {};
  return duration === undefined ? undefined : { seconds: Number(duration) || 0, setAt: Number(t) || 0 };
}
