import typia from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import { internationalPhone } from "../../shared/contract/phone.js";
import * as errors from "../../shared/contract/whatsapp/errors.js";
import type { CallerHandler } from "../endpoint/caller-handler.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import { orThrow } from "../endpoint/validation.js";
import { numberAsText } from "../api/message/number-as-text.js";
import { createSession as create, type CreateSessionParts } from "../api/create-session.js";
import type { NewSessionForm } from "../api/notes.js";
import type { Principal } from "../tenant/principal.js";
import { wording } from "./wording.js";

/** Settings of a new session. */
export interface NewWhatsAppSessionForm extends NewSessionForm {
  /** Phone number of the account, to link it with a pairing code instead of a QR code: 8 to 15 digits, the first not 0. */
  phone?: string;
}

/** POST /session: with `phone`, the session gets a pairing code instead of a QR code. */
export function createSession(parts: CreateSessionParts, commands: CommandPort): CallerHandler<Principal> {
  return create(parts, "whatsapp", (body) => {
    const { phone } = orThrow(validate(withoutBlanks(body)), wording);
    const digits = phone === undefined ? "" : toDigits(phone);
    return (id, given, signal, requestId) =>
      commands.call("whatsapp", "create-session", id, { ...given, phone: digits }, { signal, requestId });
  });
}

const validate = typia.createValidate<{ readonly phone?: unknown }>();
/** A login needs a complete number with country and area code. */
const digitsMin = 8;

function toDigits(value: unknown): string {
  const phone = numberAsText(value);
  const digits = typeof phone === "string" ? internationalPhone(phone) : undefined;
  if (digits === undefined || digits.length < digitsMin) throw errors.invalidPhone();
  return digits;
}
