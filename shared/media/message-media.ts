import type { MediaAddress, MediaVariant } from "../contract/media.js";

/** Messages whose media is gone: of a channel or supergroup, or of the account's own sequence. */
export interface DeletedMessages {
  readonly sequence: string;
  readonly ids: readonly string[];
}

/** Private chats and basic groups share one sequence of message ids, and the platform tells of a deletion there without its chat. */
export const accountSequence = "account";

/** What a file's message is counted in: one id of a sequence is one message. Profile photos belong to no message; their owner stands for it. */
export function sequenceOf({ chatId, variant }: Pick<MediaAddress, "chatId" | "variant">): string {
  return variant === "profile" || isChannel(chatId) ? chatId : accountSequence;
}

/** Marked ids of channels and supergroups begin here; nearer to zero are basic groups, above it people. */
export function isChannel(chatId: string): boolean {
  return Number(chatId) <= -1_000_000_000_000;
}

/** What one message may have links to. */
export const messageVariants: readonly MediaVariant[] = ["photo", "thumb", "file"];
