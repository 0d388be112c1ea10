import type { GroupLimits } from "../api/group/group-changes-form.js";

/** The platform's limits for a group, in characters. */
export const groupLimits: GroupLimits = { name: 128, description: 255 };
