import type { EditGroupInput } from "../../shared/contract/group-change.js";
import { groupChangesFields, parseGroupChanges } from "../api/group/group-changes-form.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { rejectUnknownFields } from "../endpoint/unknown-fields.js";
import { groupLimits } from "./group-limits.js";
import { parseGroupPath } from "./group-id.js";
import { wording } from "./wording.js";

/** Parses PATCH /group/{groupId}. Order of checks: unknown fields, group, changes. */
export function parseGroupEdit(http: HttpInput): EditGroupInput {
  rejectUnknownFields(http.body, groupChangesFields);
  const { groupId } = parseGroupPath(http);
  return { groupId, ...parseGroupChanges(http.body, groupLimits, wording) };
}
