import typia from "typia";
import { withoutBlanks } from "../../../shared/contract/blank.js";
import { invalidMemberCount } from "../../../shared/contract/errors.js";
import { membersPerCallMax } from "../../../shared/contract/group-change.js";
import type { NotEmpty, Wording } from "../../../shared/contract/rules.js";
import type { HttpInput } from "../../endpoint/endpoint.js";
import { rejectUnknownFields } from "../../endpoint/unknown-fields.js";
import { orThrow } from "../../endpoint/validation.js";
import { requireAtMost } from "../text-length.js";

/** Fields of one person, and how the platform parses them. */
export interface PersonForm<Person> {
  readonly fields: readonly string[];
  /** Throws 400 for a person without a valid field. */
  readonly parse: (form: unknown) => Person;
}

/** Parses `members` of a body. Each person has the fields of a recipient. */
export function parseMembers<Person>(body: unknown, { fields, parse }: PersonForm<Person>): Person[] {
  const { members } = Object(body) as { readonly members?: unknown };
  if (!Array.isArray(members)) throw invalidMemberCount();
  return checkedCount(members).map((member: unknown) => {
    const form = typeof member === "object" && member !== null && !Array.isArray(member) ? member : {};
    rejectUnknownFields(form, fields, "members.");
    return parse(form);
  });
}

/** Parses the people of a query. Each field may be repeated. */
export function parseMembersInQuery<Person>(query: HttpInput["query"], { fields, parse }: PersonForm<Person>): Person[] {
  const members = fields.flatMap((field) => [query[field] ?? []].flat().map((value) => ({ [field]: value })));
  return checkedCount(members).map(parse);
}

function checkedCount<T>(members: readonly T[]): readonly T[] {
  if (members.length === 0 || members.length > membersPerCallMax) throw invalidMemberCount();
  return members;
}

export interface NewGroupNameForm {
  /** Name of the group, at most 100 characters on WhatsApp and 128 on Telegram. */
  name: string & NotEmpty;
}

/** Parses the name of a new group. `max` is in characters. */
export function parseName(body: unknown, max: number, wording: Wording): string {
  const { name } = orThrow(validateName(withoutBlanks(body)), wording);
  requireAtMost("name", name, max);
  return name;
}

const validateName = typia.createValidate<NewGroupNameForm>();
