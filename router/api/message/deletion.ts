import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import type { Wording } from "../../../shared/contract/rules.js";
import type { HttpInput } from "../../endpoint/endpoint.js";
import { orThrow } from "../../endpoint/validation.js";
import type { AuthorForm, MessagePathForm } from "./message-reference.js";

export interface DeletionForm extends MessagePathForm, AuthorForm {}

/** Parses the message and its author. */
export function readDeletion({ params, query }: Pick<HttpInput, "params" | "query">, wording: Wording): DeletionForm {
  return orThrow(validate({ ...(withoutBlanks(query) as object), ...params }), wording);
}

const validate = typia.createValidate<DeletionForm>();
