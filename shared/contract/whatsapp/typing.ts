import type { TypingType } from "../typing.js";

/** Variant A, "Typing request body (POST /typing)", after validation. `group` takes precedence over `phone`. */
export interface TypingInput {
  to: { kind: "group"; id: string } | { kind: "phone"; phone: string };
  type: TypingType;
}
