import type { MarkedId } from "./ids.js";

/** What happened in a private chat, as the account's devices are told of it. */
export type Happening =
  | { readonly kind: "new" | "edited"; readonly messageId: string; readonly text: string; readonly out: boolean }
  | { readonly kind: "reacted"; readonly messageId: string }
  | { readonly kind: "deleted"; readonly messageIds: readonly string[] }
  /** `by`: who read, up to and with the message `until`. */
  | { readonly kind: "read"; readonly until: string; readonly by: "them" | "me" };

export type HappeningEntry = Happening & {
  readonly account: string;
  /** ISO 8601. */
  readonly at: string;
  /** The account's counter after it. Deletions in several chats at once share one. */
  readonly pts: number;
  /** User id of the other side. */
  readonly chat: string;
  /** Done by a linked device itself, which learned of it by the answer to its call. */
  readonly own: boolean;
};

const kept = 100_000;

/**
 * All that happened in private chats since the sandbox's start, in order and with the words of that moment: what a gateway's events are
 * compared with. Not written to disk. The oldest tenth goes when the list is full.
 */
export class Happenings {
  private entries: HappeningEntry[] = [];

  add(account: string, { chat, pts, own }: { chat: MarkedId; pts: number; own: boolean }, happening: Happening): void {
    this.entries.push({ ...happening, account, at: new Date().toISOString(), pts, chat: String(chat), own });
    if (this.entries.length > kept) this.entries.splice(0, kept / 10);
  }

  list(account: string | undefined): readonly HappeningEntry[] {
    return account === undefined ? this.entries : this.entries.filter((entry) => entry.account === account);
  }
}
