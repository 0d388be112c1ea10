import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import type { NotEmpty, Wording } from "../../../shared/contract/rules.js";
import type { HttpInput } from "../../endpoint/endpoint.js";
import { both, orThrow } from "../../endpoint/validation.js";
import type { MessagePathForm } from "./message-reference.js";

export interface EditForm {
  /** The new text or caption. The gateway keeps spaces at both ends. */
  text: string & NotEmpty;
}

/** Parses the message and its new text. */
export function readEdit({ params, body }: Pick<HttpInput, "params" | "body">, wording: Wording): MessagePathForm & EditForm {
  const [{ messageId }, { text }] = both(
    () => orThrow(validatePath(params), wording),
    () => orThrow(validateText(withoutBlanks(body)), wording),
  );
  return { messageId, text };
}

const validatePath = typia.createValidate<MessagePathForm>();
const validateText = typia.createValidate<EditForm>();
