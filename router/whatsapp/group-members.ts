import typia from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Bytes, NotEmpty } from "../../shared/contract/rules.js";
import { isGroupId } from "../../shared/contract/whatsapp/address.js";
import * as errors from "../../shared/contract/whatsapp/errors.js";
import type { GroupReference, MembersInput } from "../../shared/contract/whatsapp/group-change.js";
import type { PersonRecipient } from "../../shared/contract/whatsapp/message.js";
import { parseMembers, parseMembersInQuery, type PersonForm } from "../api/group/members-form.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { orThrow } from "../endpoint/validation.js";
import { parsePerson, personFields, type Person } from "./recipient.js";
import { wording } from "./wording.js";

export interface GroupOfForm {
  /** Group id, ends in `@g.us`. */
  group: string & NotEmpty & Bytes<256>;
}

export interface MembersForm extends GroupOfForm {
  /** 1 to 256 people. */
  members: Person[];
}

export interface MembersQuery extends GroupOfForm {
  /** Phone numbers in international format. Repeat the parameter for several people. */
  phone?: string[];
  /** Ids of people. Repeat the parameter for several people, 256 in all. */
  user?: string[];
}

export const personForm: PersonForm<PersonRecipient> = { fields: personFields, parse: parsePerson };

/** Parses POST /group/member and /group/admin. Order of checks: unknown fields, group, members. */
export function parseMembersBody({ body }: HttpInput): MembersInput {
  rejectUnknownFields(body, ["group", "members"]);
  return { ...parseGroup(body), members: parseMembers(body, personForm) };
}

/** Parses DELETE /group/member and /group/admin. */
export function parseMembersQuery({ query }: HttpInput): MembersInput {
  rejectUnknownFields(query, ["group", ...personFields]);
  return { ...parseGroup(query), members: parseMembersInQuery(query, personForm) };
}

/** Parses POST /group/leave. */
export function parseGroupOfBody({ body }: HttpInput): GroupReference {
  rejectUnknownFields(body, ["group"]);
  return parseGroup(body);
}

/** Parses GET and DELETE /group/invite. */
export function parseGroupOfQuery({ query }: HttpInput): GroupReference {
  rejectUnknownFields(query, ["group"]);
  return parseGroup(query);
}

const validate = typia.createValidate<GroupOfForm>();

function parseGroup(values: unknown): GroupReference {
  const { group } = orThrow(validate(withoutBlanks(values)), wording);
  if (!isGroupId(group)) throw errors.invalidGroup();
  return { group };
}
