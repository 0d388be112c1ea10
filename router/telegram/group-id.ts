import typia from "typia";
import type { Bytes, Parameter } from "../../shared/contract/rules.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { orThrow } from "../endpoint/validation.js";
import { wording } from "./wording.js";

/** Parses `groupId` of GET /group/member (query) and GET /group/{groupId} (path): an id or the username of a public group. */
export const parseGroupQuery = ({ query }: HttpInput): GroupForm => pick(query);
export const parseGroupPath = ({ params }: HttpInput): GroupForm => pick(params);

export interface GroupForm {
  /** Group id (starts with `-`) or username of a public group, at most 256 bytes. */
  groupId: string & Parameter & Bytes<256>;
}

const validate = typia.createValidate<GroupForm>();

function pick(values: unknown): GroupForm {
  const { groupId } = orThrow(validate(values), wording);
  return { groupId };
}
