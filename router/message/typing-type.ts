import typia from "typia";
import { unknownType } from "../../shared/contract/errors.js";
import type { Wording } from "../../shared/contract/rules.js";
import { typingTypes, type TypingType } from "../../shared/contract/typing.js";
import { orThrow } from "../endpoint/validation.js";

/** `type` of POST /typing, which is `text` when absent. */
export function parseTypingType(body: unknown, wording: Wording): TypingType {
  const given = orThrow(validate(body), wording).type ?? "text";
  const type = typingTypes.find((allowed) => allowed === given);
  if (type === undefined) throw unknownType(typingTypes);
  return type;
}

const validate = typia.createValidate<{ type?: unknown }>();
