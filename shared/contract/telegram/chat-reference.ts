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
  const name = shortLink.exec(trimmed)?.[1] ?? resolveLink.exec(trimmed)?.[1] ?? (trimmed.startsWith("@") ? trimmed.slice(1) : trimmed);
  if (!username.test(name) || name.includes("__")) throw invalidChat();
  return { kind: "username", username: name.toLowerCase() };
}

const markedId = /^-?[1-9]\d{0,15}$/;
const shortLink = /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\/@?(\w+)\/?(?:[?#].*)?$/i;
const resolveLink = /^tg:\/\/resolve\?domain=(\w+)$/i;
// 5 to 32 characters, a letter first, no underscore last.
const username = /^[a-z]\w{3,30}[a-z\d]$/i;
