import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import type { Bytes, NotEmpty, Wording } from "../../../shared/contract/rules.js";
import { orThrow } from "../../endpoint/validation.js";

export interface LinkForm {
  /** Invite link of a group, or the code in it, at most 2,048 bytes. */
  link: string & NotEmpty & Bytes<2048>;
}

/** Parses `link` of POST /group/join. The shard checks its form. */
export function parseLink(body: unknown, wording: Wording): LinkForm {
  const { link } = orThrow(validate(withoutBlanks(body)), wording);
  return { link };
}

const validate = typia.createValidate<LinkForm>();
