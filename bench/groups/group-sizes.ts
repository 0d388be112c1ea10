import type { Gateway } from "../../test/harness/gateway.js";
import { bareOn } from "../baseline/bare-on.js";
import type { BareBaileys } from "../baseline/bare-baileys.js";
import type { MadeLogin, StoredLogin, StoredLogins } from "../logins/stored-logins.js";

/** Members of the groups that are written to, and read. */
export const groupSizes = [8, 256, 1_024] as const;

/** For each size a session of the gateway in a group of it, and a device of the bare library in another one. */
export interface GroupSides {
  readonly sides: readonly { readonly members: number; readonly ours: StoredLogin; readonly bare: MadeLogin }[];
  /** Its clients are in the order of the sides. */
  readonly baseline: BareBaileys;
}

/** The sessions are connected once the shard is restarted. The baseline is to be stopped. */
export async function groupSides(gateway: Gateway, store: StoredLogins, signal: AbortSignal): Promise<GroupSides> {
  const sides: GroupSides["sides"][number][] = [];
  for (const members of groupSizes) {
    const wanted = { from: 0, count: 1, groups: 1, members: members - 1 };
    const [ours] = await store.addMade("whatsapp", { ...wanted, prefix: `group-of-${members}` });
    const [bare] = await store.make("whatsapp", { ...wanted, prefix: `bare-group-of-${members}` });
    if (ours === undefined || bare === undefined) throw new Error("the sandbox made no login");
    sides.push({ members, ours, bare });
  }
  const baseline = await bareOn(
    gateway,
    sides.map(({ bare }) => bare),
    signal,
  );
  return { sides, baseline };
}

export function groupOf({ groups = [] }: Pick<MadeLogin, "groups">): string {
  const [group] = groups;
  if (group === undefined) throw new Error("the account is in no group");
  return group;
}
