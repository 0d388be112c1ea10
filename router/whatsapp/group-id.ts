import typia from "typia";
import type { Bytes, Parameter } from "../../shared/contract/rules.js";
import { isGroupId } from "../../shared/contract/whatsapp/address.js";
import * as errors from "../../shared/contract/whatsapp/errors.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { orThrow } from "../endpoint/validation.js";
import { wording } from "./wording.js";

/** Parses `groupId` of GET /group/member (query) and GET /group/{groupId} (path). */
export const parseGroupQuery = ({ query }: HttpInput): GroupForm => pick(query);
export const parseGroupPath = ({ params }: HttpInput): GroupForm => pick(params);

export interface GroupForm {
  /** Group id, ends in `@g.us`. */
  groupId: string & Parameter & Bytes<256>;
}

const validate = typia.createValidate<GroupForm>();

/** Rejects an id of another shape here, because the platform would take it for any kind of chat. */
function pick(values: unknown): GroupForm {
  const { groupId } = orThrow(validate(values), wording);
  if (!isGroupId(groupId)) throw errors.invalidGroupId();
  return { groupId };
}
