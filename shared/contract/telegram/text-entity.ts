import type { Count } from "../plain-values.js";

/** Names of the platform's Bot API. */
export const textEntityTypes = [
  "mention",
  "hashtag",
  "cashtag",
  "bot_command",
  "url",
  "email",
  "phone_number",
  "bold",
  "italic",
  "underline",
  "strikethrough",
  "spoiler",
  "blockquote",
  "expandable_blockquote",
  "code",
  "pre",
  "text_link",
  "text_mention",
  "custom_emoji",
] as const;

/** A part of a message's text that is formatted, or leads somewhere. */
export interface TextEntity {
  /** What the part is; `text_link` is a link behind a text, `text_mention` a person behind a text. */
  type: (typeof textEntityTypes)[number];
  /** Where the part begins, in UTF-16 code units. */
  offset: Count;
  /** How long it is, in UTF-16 code units. */
  length: Count;
  /** Where a `text_link` leads. */
  url?: string;
  /** Platform user id of the person of a `text_mention`. */
  user?: string;
  /** Programming language of a `pre`, when its author named one. */
  language?: string;
  /** Platform id of a `custom_emoji`. */
  emoji?: string;
}
