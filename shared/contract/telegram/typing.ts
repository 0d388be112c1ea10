import type { TypingType } from "../typing.js";
import type { Recipient } from "./message.js";

/** POST /typing, after validation: `group` wins over `user`, that over `username`, that over `phone`. */
export interface TypingInput {
  to: Exclude<Recipient, { kind: "channel" }>;
  type: TypingType;
}
