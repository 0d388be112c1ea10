import { invalidChat } from "./errors.js";

/** A caller's reference to a chat. `id` is a marked id: user = id, basic group = -id, channel or supergroup = -(10^12 + id). */
export type ChatReference = { readonly kind: "id"; readonly id: string } | { readonly kind: "username"; readonly username: string };

/**
 * Parses a marked id, a username with or without `@`, or a short link of the platform. Throws `invalid chat` for anything else (variant B:
 * "A leading `@` and platform short links are accepted").
 */
export function parseChatReference(text: string): ChatReference {
  // Copied names and links may contain invisible characters.
  const trimmed = text.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "").trim();
  const channel = privateLink.exec(trimmed)?.[1];
  if (channel !== undefined) return { kind: "id", id: `-${channelOffset + BigInt(channel)}` };
  if (markedId.test(trimmed)) return { kind: "id", id: trimmed };
  const name = nameInLink(trimmed) ?? (trimmed.startsWith("@") ? trimmed.slice(1) : trimmed);
  if (!username.test(name) || name.includes("__")) throw invalidChat();
  return { kind: "username", username: name.toLowerCase() };
}

/**
 * Returns the name in a link: `t.me/name`, `name.t.me`, `t.me/s/name`, a message or topic (`t.me/name/12`), or `tg://resolve?domain=name`
 * with any other query parameters.
 */
function nameInLink(text: string): string | undefined {
  for (const link of links) {
    const name = link.exec(text)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

const markedId = /^-?[1-9]\d{0,15}$/;
const links = [
  /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\/(?:s\/)?@?(\w+)(?:\/\d+){0,2}\/?(?:[?#].*)?$/i,
  /^(?:https?:\/\/)?(\w+)\.t\.me(?:\/\d+){0,2}\/?(?:[?#].*)?$/i,
  /^tg:\/\/resolve\/?\?(?:[^#]*&)?domain=(\w+)(?:[&#].*)?$/i,
];
/** A link to a message of a chat without a name: `t.me/c/1900000012/34`. */
const privateLink = /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\/c\/([1-9]\d{0,12})(?:\/\d+){0,2}\/?(?:[?#].*)?$/i;
/** Marked ids of channels and supergroups lie beyond this offset. */
const channelOffset = 1_000_000_000_000n;
// Begins with a letter and does not end with an underscore. Chosen names have 5 to 32 characters; names bought from the platform may have
// 4.
const username = /^[a-z]\w{2,30}[a-z\d]$/i;
