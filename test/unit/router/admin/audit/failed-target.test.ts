import { expect, it } from "vitest";
import { failedTarget } from "../../../../../router/admin/audit/failed-target.js";

const session = "0123456789abcdef01234567";
const key = "0123456789abcdef0123";

it.each([
  "members/shard-1/drain",
  "members/trunkline-shard-0/undrain",
  "slots/0",
  "slots/4095/pin",
  "tenants/acme",
  "tenants/42",
  `keys/${key}`,
  `sessions/${session}`,
  `sessions/${session}/dead-letters/replay`,
])("%s is named by a call that failed", (named) => {
  expect(failedTarget(named)).toBe(named);
});

it.each([
  "",
  "members",
  "tenants/",
  "keyring/rotate",
  "sessions/bulk",
  "members/4917212345678/drain",
  "members/49-172-12345678/drain",
  "members/+4917212345678/drain",
  "tenants/4917212345678",
  "tenants/-4917212345678",
  "tenants/Acme",
  "tenants/a%20b",
  "tenants/a.b@example.com",
  `tenants/${"a".repeat(33)}`,
  "slots/4096/pin",
  "slots/4917212/pin",
  "slots/-1",
  "slots/07",
  `keys/${session}`,
  `keys/tl_${"a".repeat(43)}`,
  `sessions/${key}`,
  `sessions/${session.toUpperCase()}`,
  `sessions/${session}/4917212345678`,
  "toString/acme",
  "others/acme",
])("%j is not", (named) => {
  expect(failedTarget(named)).toBe("");
});
