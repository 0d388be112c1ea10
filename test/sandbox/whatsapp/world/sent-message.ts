import type { World } from "./world.js";

/** A message that an account has sent, as its chat shows it now. */
export interface SentMessage {
  readonly chat: string;
  readonly text: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Returns `undefined` if the account has sent no such message, or it was deleted since. */
export function sentMessage({ received }: World, account: string, id: string): SentMessage | undefined {
  let found: SentMessage | undefined;
  for (const entry of received.list(account)) {
    if (entry.type !== "message") continue;
    const { target } = entry;
    if (target === undefined) {
      if (entry.id === id) found = { chat: entry.chat, text: entry.text, at: Date.parse(entry.at) };
    } else if (target.id === id && target.ignored === undefined) {
      if (entry.kind === "deleted") found = undefined;
      else if (entry.kind === "edited" && found !== undefined) found = { ...found, text: entry.text };
    }
  }
  return found;
}
