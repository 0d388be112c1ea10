import type { GroupLimits } from "../api/group/group-changes-form.js";

/** The platform's limits for a group, in characters. */
export const groupLimits: GroupLimits = { name: 100, description: 2_048 };
