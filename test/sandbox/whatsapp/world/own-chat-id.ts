import type { Account } from "./account.js";

/** Number of group ids per account, and of channel ids. */
export const chatsPerAccount = 10_000;

export function ownGroupId(account: Account, n: number): string {
  return `12036310${numbers(account, n)}@g.us`;
}

export function ownChannelId(account: Account, n: number): string {
  return `12036391${numbers(account, n)}@newsletter`;
}

/** Returns the index of the account that owns the chat. */
export function indexOfChat(id: string): number | undefined {
  const match = /^12036(?:310|391)(\d{6})\d{4}@(?:g\.us|newsletter)$/.exec(id);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

function numbers({ index }: Account, n: number): string {
  return `${String(index).padStart(6, "0")}${String(n).padStart(4, "0")}`;
}
