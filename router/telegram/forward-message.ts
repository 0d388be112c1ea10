import typia from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Input } from "../../shared/contract/commands.js";
import type { NotEmpty } from "../../shared/contract/rules.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { orThrow } from "../endpoint/validation.js";
import { parseRecipient, recipientFields, type MessageRecipient } from "./recipient.js";
import { wording } from "./wording.js";

/** Parses POST /message/forward: no other fields, then the recipient, then `ref`. */
export function parseForward({ body }: HttpInput): Input<"telegram", "forward-message"> {
  rejectUnknownFields(Object(body) as object, [...recipientFields, "ref"]);
  return { to: parseRecipient(body), ref: orThrow(validate(withoutBlanks(body)), wording).ref };
}

interface ForwardForm {
  /** The `ref` of the message's event. */
  ref: string & NotEmpty;
}

const validate = typia.createValidate<ForwardForm>();

/** A message to forward, and its recipient. */
export interface ForwardBody extends ForwardForm, MessageRecipient {}
