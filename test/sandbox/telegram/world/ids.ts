import bigInt, { type BigInteger } from "big-integer";

/** Peer id as the Bot API and the gateway write it: user = id, basic group = -id, channel or supergroup = -(10^12 + id). */
export type MarkedId = number;

const channelBase = 1_000_000_000_000;

export const markChat = (id: number): MarkedId => -id;
export const markChannel = (id: number): MarkedId => -(channelBase + id);

export type Peer = { readonly kind: "user" | "chat" | "channel"; readonly id: number };

export function unmark(marked: MarkedId): Peer {
  if (marked > 0) return { kind: "user", id: marked };
  if (marked > -channelBase) return { kind: "chat", id: -marked };
  return { kind: "channel", id: -marked - channelBase };
}

/** Converts a number or decimal string to the library's 64-bit integer. */
export const long = (value: number | string | bigint): BigInteger => bigInt(String(value));
export const unixNow = (): number => Math.floor(Date.now() / 1000);
