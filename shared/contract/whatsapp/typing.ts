export const typingTypes = ["text", "audio"] as const;

/** Variant A, "Typing request body (POST /typing)", after validation: `group` wins over `phone`. */
export interface TypingInput {
  to: { kind: "group"; id: string } | { kind: "phone"; phone: string };
  type: (typeof typingTypes)[number];
}
