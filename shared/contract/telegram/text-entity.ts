import type { Count } from "../plain-values.js";

/** Names from the platform's Bot API. */
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

/** Formatting, a link or a mention in a part of the text. */
export interface TextEntity {
  /** Type of the part. `text_link` is text that links to a URL, `text_mention` is text that links to a person. */
  type: (typeof textEntityTypes)[number];
  /** Start of the part in UTF-16 code units. */
  offset: Count;
  /** Length of the part in UTF-16 code units. */
  length: Count;
  /** URL of a `text_link`. */
  url?: string;
  /** Platform user id of a `text_mention`. */
  user?: string;
  /** Programming language of a `pre`, if the author set one. */
  language?: string;
  /** Platform id of a `custom_emoji`. */
  emoji?: string;
}
