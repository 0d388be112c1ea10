import type { Attachment } from "./message-box.js";

/** Who may look: everybody, contacts or nobody, and the people named on top. */
export interface Audience {
  readonly base: "everyone" | "contacts" | "close_friends" | "nobody";
  readonly allow: readonly number[];
  readonly deny: readonly number[];
}

/** A story that is up. Plain data: it is written to the snapshot as it is. */
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
  /** Who has seen it, oldest first; absent before the first. */
  views?: readonly StoryView[];
}

export interface StoryView {
  readonly from: number;
  /** Unix seconds. */
  readonly date: number;
  /** An emoji. */
  readonly reaction?: string;
}
