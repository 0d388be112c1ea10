import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import type { NotEmpty, Wording } from "../../../shared/contract/rules.js";
import { orThrow } from "../../endpoint/validation.js";

export interface ForwardForm {
  /** The `ref` of the message's event. */
  ref: string & NotEmpty;
}

export const forwardFields = ["ref"] as const satisfies readonly (keyof ForwardForm)[];

/** Parses `ref` of POST /message/forward. The shard opens it. */
export function parseForwardRef(body: unknown, wording: Wording): string {
  return orThrow(validate(withoutBlanks(body)), wording).ref;
}

const validate = typia.createValidate<ForwardForm>();
