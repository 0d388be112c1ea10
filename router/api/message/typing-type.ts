import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import { unknownType } from "../../../shared/contract/errors.js";
import type { Wording } from "../../../shared/contract/rules.js";
import { typingTypes, type TypingType } from "../../../shared/contract/typing.js";
import { orThrow } from "../../endpoint/validation.js";

export interface TypingTypeForm {
  /** `text` shows that the account is typing, `audio` that it is recording a voice message. Default: `text`. */
  type?: TypingType;
}

/** Parses `type` of POST /typing. Default: `text`, also for a blank value. */
export function parseTypingType(body: unknown, wording: Wording): TypingType {
  const given = orThrow(validate(withoutBlanks(body)), wording).type ?? "text";
  const type = typingTypes.find((allowed) => allowed === given);
  if (type === undefined) throw unknownType(typingTypes);
  return type;
}

const validate = typia.createValidate<{ readonly [Name in keyof TypingTypeForm]: unknown }>();
