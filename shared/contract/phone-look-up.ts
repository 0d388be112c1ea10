import type { CommandFacts } from "./command-row.js";
import { listing } from "./listing.js";
import { sendTimeoutMs } from "../limits.js";

/** GET /phone, after validation: 1 to 50 numbers in digits, each once. */
export interface PhoneQuery {
  phones: string[];
}

/** What the platform says of one phone number. Unknown values are empty. */
export interface FoundPhone {
  /** The number in digits, without the `+` and the punctuation of the request. */
  phone: string;
  /** True if the number has an account that this account may find. */
  exists: boolean;
  /** Id of the account. Use it as `user` in requests. */
  user: string;
  /** Anonymous id of the account on WhatsApp, `…@lid`. Always empty on Telegram. */
  lid: string;
  /** Username without `@`. */
  username: string;
}

/** Telegram resolves one number after another, with three seconds between them. */
export const phoneLookUp: CommandFacts & { readonly session: "finds" } = { ...listing, deadlineMs: sendTimeoutMs };
