import type { BinaryNode } from "@whiskeysockets/baileys";
import { node } from "../protocol/node.js";
import type { Post } from "../world/channel.js";

/** Returns a post's content and the time of its last edit (whatsmeow's message.go, handlePlaintextMessage). */
export function contentNodes({ message, mediatype, at, editedAt }: Post): BinaryNode[] {
  if (message === undefined) return [];
  const meta = editedAt === undefined ? [] : [node("meta", { msg_edit_t: String(editedAt), original_msg_t: String(at) })];
  return [node("plaintext", { mediatype }, message), ...meta];
}

/** Returns a post's views and reactions (whatsmeow's notification.go, parseNewsletterMessages). */
export function countNodes({ views, seenBy = [], reactions = {} }: Post): BinaryNode[] {
  const counts = new Map([["👍", views % 17]]);
  for (const code of Object.values(reactions)) counts.set(code, (counts.get(code) ?? 0) + 1);
  const some = [...counts].filter(([, count]) => count > 0);
  return [
    node("views_count", { count: String(views + seenBy.length) }),
    node(
      "reactions",
      {},
      some.map(([code, count]) => node("reaction", { code, count: String(count) })),
    ),
  ];
}
