import { invalidChat } from "./errors.js";

/** What a caller may name a chat by. `id` is a marked id: user = id, basic group = -id, channel or supergroup = -(10^12 + id). */
export type ChatReference = { readonly kind: "id"; readonly id: string } | { readonly kind: "username"; readonly username: string };

/**
 * Reads a marked id, a username with or without `@`, or a short link of the platform. Throws `invalid chat` for anything else
 * (variant B: "A leading `@` and platform short links are accepted").
 */
export function parseChatReference(text: string): ChatReference {
  const trimmed = text.trim();
  if (markedId.test(trimmed)) return { kind: "id", id: trimmed };
  const name = nameInLink(trimmed) ?? (trimmed.startsWith("@") ? trimmed.slice(1) : trimmed);
  if (!username.test(name) || name.includes("__")) throw invalidChat();
  return { kind: "username", username: name.toLowerCase() };
}

/** The name that a link of the platform leads to: `t.me/name`, `name.t.me`, the preview `t.me/s/name`, and `tg://resolve?domain=name`, whatever else stands in its query. */
function nameInLink(text: string): string | undefined {
  for (const link of links) {
    const name = link.exec(text)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

const markedId = /^-?[1-9]\d{0,15}$/;
const links = [
  /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\/(?:s\/)?@?(\w+)\/?(?:[?#].*)?$/i,
  /^(?:https?:\/\/)?(\w+)\.t\.me\/?(?:[?#].*)?$/i,
  /^tg:\/\/resolve\/?\?(?:[^#]*&)?domain=(\w+)(?:[&#].*)?$/i,
];
// A letter first, no underscore last; 5 to 32 characters where somebody chose it, 4 to 32 where it was bought from the platform.
const username = /^[a-z]\w{2,30}[a-z\d]$/i;
