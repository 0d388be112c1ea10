import type { MarkedId } from "./ids.js";

/** An event in a private chat, as the account's devices receive it. */
export type Happening =
  | { readonly kind: "new" | "edited"; readonly messageId: string; readonly text: string; readonly out: boolean }
  | { readonly kind: "reacted"; readonly messageId: string }
  | { readonly kind: "deleted"; readonly messageIds: readonly string[] }
  /** `by`: the reader; `until`: the last read message. */
  | { readonly kind: "read"; readonly until: string; readonly by: "them" | "me" };

export type HappeningEntry = Happening & {
  readonly account: string;
  /** ISO 8601. */
  readonly at: string;
  /** The account's counter after the event. Deletions in several chats at once share one value. */
  readonly pts: number;
  /** User id of the other side. */
  readonly chat: string;
  /** True if a linked device caused the event, and learned of it from the response to its call. */
  readonly own: boolean;
};

const kept = 100_000;

/**
 * All events in private chats since the start, in order and with their texts at the time, for comparison with a gateway's events. Kept in
 * memory only; a full list drops its oldest tenth.
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
