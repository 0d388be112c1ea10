import type { NewGroupInput } from "../../shared/contract/telegram/group-change.js";
import { parseMembers, parseName, type NewGroupNameForm } from "../api/group/members-form.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { personForm, type MembersForm } from "./group-members.js";
import { groupLimits } from "./group-limits.js";
import { wording } from "./wording.js";

/** Parses POST /group. Order of checks: unknown fields, name, members. */
export function parseNewGroup({ body }: HttpInput): NewGroupInput {
  rejectUnknownFields(body, ["name", "members"]);
  return { name: parseName(body, groupLimits.name, wording), members: parseMembers(body, personForm) };
}

/** A new group. */
export interface NewGroupBody extends NewGroupNameForm, Pick<MembersForm, "members"> {}
