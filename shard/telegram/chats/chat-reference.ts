/** Marked ids: user = id, basic group = -id, channel or supergroup = -(10^12 + id). */

/** Returns kind and bare id of a marked id. Decides by range, because GramJS reads the basic group `-100123` as channel 123. */
export function splitMarkedId(id: string): { readonly kind: "user" | "chat" | "channel"; readonly bareId: string } {
  if (!id.startsWith("-")) return { kind: "user", bareId: id };
  const bare = BigInt(id.slice(1));
  return bare >= channelOffset ? { kind: "channel", bareId: (bare - channelOffset).toString() } : { kind: "chat", bareId: bare.toString() };
}

/** Returns the marked id of a channel or supergroup. */
export function channelMark(bareId: { toString(): string }): string {
  return `-${(channelOffset + BigInt(bareId.toString())).toString()}`;
}

/** Returns the marked id of a basic group. */
export function chatMark(bareId: { toString(): string }): string {
  return `-${bareId.toString()}`;
}

const channelOffset = 1_000_000_000_000n;
