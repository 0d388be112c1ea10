import type { Input } from "../../shared/contract/commands.js";
import { internationalPhone } from "../../shared/contract/phone.js";
import { invalidRecipient } from "../../shared/contract/whatsapp/errors.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { parsePhones } from "../endpoint/phone-query.js";

/** Parses GET /phone. The numbers follow the rule of `phone` of a recipient. */
export function parsePhoneQuery(http: HttpInput): Input<"whatsapp", "look-up-phones"> {
  return parsePhones(http, internationalPhone, invalidRecipient);
}
