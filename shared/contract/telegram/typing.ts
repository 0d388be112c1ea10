import type { TypingType } from "../typing.js";
import type { Recipient } from "./message.js";

/** POST /typing, after validation. `group` takes precedence over `user`, `user` over `username`, `username` over `phone`. */
export interface TypingInput {
  to: Exclude<Recipient, { kind: "channel" }>;
  type: TypingType;
}
