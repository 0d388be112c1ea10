import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import type { Wording } from "../../../shared/contract/rules.js";
import { orThrow } from "../../endpoint/validation.js";
import type { MessageReferenceForm } from "./message-reference.js";

/** Parses the message of POST /message/read. */
export function readMark(body: unknown, wording: Wording): MessageReferenceForm {
  return orThrow(validate(withoutBlanks(body)), wording);
}

export const markFields = ["messageId", "author"] as const satisfies readonly (keyof MessageReferenceForm)[];

const validate = typia.createValidate<MessageReferenceForm>();
