import type { Input } from "../../shared/contract/commands.js";
import { tidyPhone } from "../../shared/contract/phone.js";
import { invalidReceiver } from "../../shared/contract/telegram/errors.js";
import { phoneDigitsMin } from "../../shared/limits.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { parsePhones } from "../endpoint/phone-query.js";

/** Parses GET /phone. The numbers follow the rule of `phone` of a recipient. */
export function parsePhoneQuery(http: HttpInput): Input<"telegram", "look-up-phones"> {
  return parsePhones(http, digitsOf, invalidReceiver);
}

function digitsOf(phone: string): string | undefined {
  const digits = tidyPhone(phone) ?? "";
  return digits.length < phoneDigitsMin ? undefined : digits;
}
