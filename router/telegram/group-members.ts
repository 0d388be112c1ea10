import typia from "typia";
import { withoutBlanks } from "../../shared/contract/blank.js";
import type { Bytes, NotEmpty } from "../../shared/contract/rules.js";
import { parseChatReference } from "../../shared/contract/telegram/chat-reference.js";
import type { GroupReference, MembersInput } from "../../shared/contract/telegram/group-change.js";
import type { PersonRecipient } from "../../shared/contract/telegram/message.js";
import { parseMembers, parseMembersInQuery, type PersonForm } from "../api/group/members-form.js";
import { numberAsText } from "../api/message/number-as-text.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { orThrow } from "../endpoint/validation.js";
import { parsePerson, personFields, type Person } from "./recipient.js";
import { wording } from "./wording.js";

export interface GroupOfForm {
  /** Group id (starts with `-`) or username of a public group, at most 256 bytes. */
  group: string & NotEmpty & Bytes<256>;
}

export interface MembersForm extends GroupOfForm {
  /** 1 to 256 people. */
  members: Person[];
}

export interface MembersQuery extends GroupOfForm {
  /** Ids of people. Repeat the parameter for several people. */
  user?: string[];
  /** Usernames. Repeat the parameter for several people. */
  username?: string[];
  /** Phone numbers in international format. Repeat the parameter for several people, 256 in all. */
  phone?: string[];
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

/** Rejects a malformed id or username here, although the shard resolves it. */
function parseGroup(values: unknown): GroupReference {
  const { group } = Object(withoutBlanks(values)) as { readonly group?: unknown };
  const form = orThrow(validate({ group: numberAsText(group) }), wording);
  parseChatReference(form.group);
  return { group: form.group };
}
