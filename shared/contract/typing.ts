export const typingTypes = ["text", "audio"] as const;
/** What the indicator shows: typing, or recording a voice note. */
export type TypingType = (typeof typingTypes)[number];
