import type { TypingType } from "../typing.js";
import type { Recipient } from "./message.js";

/** Variant A, "Typing request body (POST /typing)", after validation. The first of `group`, `phone`, `user` counts. */
export interface TypingInput {
  to: Exclude<Recipient, { kind: "newsletter" }>;
  type: TypingType;
}
