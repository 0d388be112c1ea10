/**
 * Returns the hash of an invite link: `https://t.me/+<hash>`, `https://t.me/joinchat/<hash>`, `tg://join?invite=<hash>`, or the hash
 * itself. `undefined` for any other text (core.telegram.org/api/links#chat-invite-links).
 */
export function inviteHashOf(text: string): string | undefined {
  const trimmed = text.trim();
  return links.map((link) => link.exec(trimmed)?.[1]).find((hash) => hash !== undefined);
}

const links = [
  /^(?:https?:\/\/)?(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)\/(?:\+|joinchat\/)([\w-]{8,64})\/?(?:[?#].*)?$/i,
  /^tg:\/\/join\/?\?(?:[^#]*&)?invite=([\w-]{8,64})(?:[&#].*)?$/i,
  /^\+?([\w-]{16,64})$/,
];
