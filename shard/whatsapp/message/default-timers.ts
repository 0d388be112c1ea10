import { getBinaryNodeChild, getBinaryNodeChildren, type BinaryNode } from "@whiskeysockets/baileys";
import { userOf } from "../jid.js";
import type { ChatTimer } from "./chat-timers.js";

/** Asks for the timers that people (JIDs) have set for new private chats. Returns those that the platform tells, by user part. Rejects like the platform. */
export async function readDefaultTimers(
  ask: (question: BinaryNode) => Promise<BinaryNode>,
  jids: readonly string[],
): Promise<Map<string, ChatTimer>> {
  const users = jids.map((jid): BinaryNode => ({ tag: "user", attrs: { jid } }));
  const content: BinaryNode[] = [
    { tag: "query", attrs: {}, content: [{ tag: "disappearing_mode", attrs: {} }] },
    { tag: "list", attrs: {}, content: users },
  ];
  const attrs = { context: "interactive", mode: "query", sid: "timers", index: "0", last: "true" };
  const answer = await ask({
    tag: "iq",
    attrs: { to: "@s.whatsapp.net", type: "get", xmlns: "usync" },
    content: [{ tag: "usync", attrs, content }],
  });
  const list = getBinaryNodeChild(getBinaryNodeChild(answer, "usync"), "list");
  return new Map(
    getBinaryNodeChildren(list, "user").flatMap((user) => {
      const { duration, t } = getBinaryNodeChild(user, "disappearing_mode")?.attrs ?? {};
      const timer = { seconds: Number(duration) || 0, setAt: Number(t) || 0 };
      return duration === undefined ? [] : [[userOf(user.attrs["jid"] ?? ""), timer] as const];
    }),
  );
}
