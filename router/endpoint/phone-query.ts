import type { ApiError } from "../../shared/contract/api-error.js";
import { isBlank } from "../../shared/contract/blank.js";
import { invalidPhoneCount } from "../../shared/contract/errors.js";
import type { PhoneQuery } from "../../shared/contract/phone-look-up.js";
import type { HttpInput } from "./endpoint.js";
import { rejectUnknownFields } from "./unknown-fields.js";

/** Parameters of GET /phone. */
export interface PhoneForm {
  /** 1 to 50 phone numbers in international format, separated by commas. The parameter may also be repeated. */
  phone: string;
}

const phonesMost = 50;

/**
 * Parses GET /phone: each number once, in the order of its first place. `digitsOf` is the platform's rule for a recipient's number, and
 * `refusal` its error.
 */
export function parsePhones({ query }: HttpInput, digitsOf: (phone: string) => string | undefined, refusal: () => ApiError): PhoneQuery {
  rejectUnknownFields(query, ["phone"]);
  const given = query["phone"] ?? [];
  const written = (typeof given === "string" ? [given] : given).flatMap((text) => text.split(",")).filter((text) => !isBlank(text));
  if (written.length === 0 || written.length > phonesMost) throw invalidPhoneCount();
  const phones = written.map((text) => {
    const digits = digitsOf(text);
    if (digits === undefined) throw refusal();
    return digits;
  });
  return { phones: [...new Set(phones)] };
}
