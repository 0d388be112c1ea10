import { invalidEphemeral } from "../../shared/contract/whatsapp/errors.js";
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
  const changes = parseGroupChanges(http.body, groupLimits, wording);
  const seconds = changes.settings?.ephemeral;
  if (seconds !== undefined && !timers.has(seconds)) throw invalidEphemeral();
  return { groupId, ...changes };
}

/** Off, one day, one week, 90 days: the platform rejects other times. */
const timers: ReadonlySet<number> = new Set([0, 86_400, 604_800, 7_776_000]);
