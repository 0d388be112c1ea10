import type { MediaAddress, MediaVariant } from "../contract/media.js";

/** Messages whose media is gone: of a channel or supergroup, or of the account's own sequence. */
export interface DeletedMessages {
  readonly sequence: string;
  readonly ids: readonly string[];
}

/** Messages that may have other files now, named in the same way. */
export type EditedMessages = DeletedMessages;

/** Private chats and basic groups share one sequence of message ids, and the platform reports deletions there without the chat. */
export const accountSequence = "account";

/** Returns the sequence in which the message id of a file is unique. Profile photos have no message and use their owner. */
export function sequenceOf({ chatId, variant }: Pick<MediaAddress, "chatId" | "variant">): string {
  return variant === "profile" || isChannel(chatId) ? chatId : accountSequence;
}

/** Marked ids of channels and supergroups begin here; nearer to zero are basic groups, above it people. */
export function isChannel(chatId: string): boolean {
  return Number(chatId) <= -1_000_000_000_000;
}

/** What one message may have links to. */
export const messageVariants: readonly MediaVariant[] = ["photo", "thumb", "file"];
