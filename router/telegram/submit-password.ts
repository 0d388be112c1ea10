import typia from "typia";
import type { Input } from "../../shared/contract/commands.js";
import type { NotEmpty } from "../../shared/contract/rules.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { orThrow } from "../endpoint/validation.js";
import { wording } from "./wording.js";

/** Parses POST /session/password: `{password}`. The body limit bounds its length. */
export function parsePassword({ body }: HttpInput): Input<"telegram", "submit-password"> {
  const { password } = orThrow(validate(body), wording);
  return { password };
}

/** The two-step password. */
export interface PasswordForm {
  /** Two-step password. The gateway does not trim it. */
  password: string & NotEmpty;
}

const validate = typia.createValidate<PasswordForm>();
