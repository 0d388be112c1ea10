import { describe, expect, it } from "vitest";
import { actionsOf, judge, type Action, type Verdict } from "../../../../router/tenant/judge.js";
import { keyRoles, type KeyRole, type Principal } from "../../../../router/tenant/principal.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";

const own = "blue" as TenantName;
const other = "red" as TenantName;
const principal = (role: KeyRole): Principal =>
  role === "admin" ? { keyId: "k", role } : { keyId: "k", role, tenant: own, incarnation: "" };

/** Verdicts of a role: for its own tenant's data, for another tenant's, and for no particular tenant's. */
type Row = readonly [own: Verdict, other: Verdict, somewhere: Verdict];
const all: Row = ["allowed", "allowed", "allowed"];
const ofOwn: Row = ["allowed", "hidden", "allowed"];
const never: Row = ["refused", "refused", "refused"];

const table: Record<Action, Record<KeyRole, Row>> = {
  "read-self": { admin: all, tenant: ofOwn, create: ofOwn, read: ofOwn },
  "create-session": { admin: all, tenant: ofOwn, create: ofOwn, read: never },
  "use-session": { admin: all, tenant: ofOwn, create: never, read: never },
  "read-session": { admin: all, tenant: ofOwn, create: never, read: ofOwn },
  "operate-session": { admin: all, tenant: ofOwn, create: never, read: never },
  "read-members": { admin: all, tenant: never, create: never, read: ofOwn },
  administer: { admin: all, tenant: never, create: never, read: never },
};

describe.each(Object.entries(table) as [Action, Record<KeyRole, Row>][])("%s", (action, roles) => {
  it.each(keyRoles)("by the role %s", (role) => {
    const verdicts = [{ tenant: own }, { tenant: other }, undefined].map((owner) => judge(principal(role), action, owner));
    expect(verdicts).toEqual(roles[role]);
  });
});

describe("permissions of a role", () => {
  it.each(keyRoles)("is what is not refused: %s", (role) => {
    const allowed = (Object.keys(table) as Action[]).filter((action) => judge(principal(role), action) !== "refused");
    expect([...actionsOf(role)].sort()).toEqual(allowed.sort());
  });
});
