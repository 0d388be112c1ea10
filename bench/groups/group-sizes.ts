import type { MadeLogin } from "../logins/stored-logins.js";

/** Member counts of the groups in the measurements. */
export const groupSizes = [8, 256, 1_024] as const;

export function groupOf({ groups = [] }: Pick<MadeLogin, "groups">): string {
  const [group] = groups;
  if (group === undefined) throw new Error("the account is in no group");
  return group;
}
