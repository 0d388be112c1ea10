import type { Attachment } from "./message-box.js";

/** The viewers of a story: a base set, plus the allowed and minus the denied people. */
export interface Audience {
  readonly base: "everyone" | "contacts" | "close_friends" | "nobody";
  readonly allow: readonly number[];
  readonly deny: readonly number[];
}

/** An active story. Plain data: the snapshot stores it unchanged. */
export interface StoredStory {
  readonly id: number;
  /** Unix seconds. */
  readonly date: number;
  readonly expires: number;
  readonly caption: string;
  /** TL bytes of each entity, base64. */
  readonly entities?: readonly string[];
  readonly attachment: Attachment;
  readonly audience: Audience;
  /** Views, oldest first; absent without a view. */
  views?: readonly StoryView[];
}

export interface StoryView {
  readonly from: number;
  /** Unix seconds. */
  readonly date: number;
  /** An emoji. */
  readonly reaction?: string;
}
