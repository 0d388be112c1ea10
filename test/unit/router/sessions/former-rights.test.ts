import { expect, it } from "vitest";
import { FormerRights } from "../../../../router/sessions/former-rights.js";
import { newSessionId } from "../../../../shared/contract/ids.js";
import { defaultTenant } from "../../../../shared/contract/tenant.js";

it("keeps the rights that it met last, and no more than it may", () => {
  const rights = new FormerRights(2);
  const ids = [1, 2, 3].map((ms) => newSessionId(ms));
  for (const [index, id] of ids.entries()) rights.remember(id, { secretHash: `hash ${index}`, tenant: defaultTenant, incarnation: "" });
  expect(ids.map((id) => rights.get(id)?.secretHash)).toEqual([undefined, "hash 1", "hash 2"]);
});
