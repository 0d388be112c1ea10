import type { HttpInput } from "../../endpoint/endpoint.js";
import { rejectUnknownFields } from "../../endpoint/unknown-fields.js";
import { parseMembers, parseMembersInQuery, type PersonForm } from "./members-form.js";

export interface GroupParsers<Group, Person> {
  /** POST /group/member and /group/admin. Order of checks: unknown fields, group, members. */
  readonly membersBody: (http: HttpInput) => Group & { members: Person[] };
  /** DELETE /group/member and /group/admin. */
  readonly membersQuery: (http: HttpInput) => Group & { members: Person[] };
  /** POST /group/leave. */
  readonly groupOfBody: (http: HttpInput) => Group;
  /** GET and DELETE /group/invite. */
  readonly groupOfQuery: (http: HttpInput) => Group;
}

/** Returns the parsers of calls about a group. `parseGroup` reads the platform's own `group`, and throws 400 if it is malformed. */
export function groupParsers<Group extends object, Person>(
  parseGroup: (values: unknown) => Group,
  person: PersonForm<Person>,
): GroupParsers<Group, Person> {
  const groupIn = (values: unknown): Group => {
    rejectUnknownFields(values, ["group"]);
    return parseGroup(values);
  };
  return {
    membersBody: ({ body }) => {
      rejectUnknownFields(body, ["group", "members"]);
      return { ...parseGroup(body), members: parseMembers(body, person) };
    },
    membersQuery: ({ query }) => {
      rejectUnknownFields(query, ["group", ...person.fields]);
      return { ...parseGroup(query), members: parseMembersInQuery(query, person) };
    },
    groupOfBody: ({ body }) => groupIn(body),
    groupOfQuery: ({ query }) => groupIn(query),
  };
}
