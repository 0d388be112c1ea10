import { describe, expect, it } from "vitest";
import { matches, onlySession, parseFilter, visibleTo, type SessionFilter } from "../../../../router/admin/session-filter.js";
import type { Principal } from "../../../../router/tenant/principal.js";
import type { SessionRow } from "../../../../router/admin/session-row.js";
import type { SessionId } from "../../../../shared/contract/ids.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";

const id = "65f0aaaaaaaaaaaaaaaaaaaa" as SessionId;
const acme = "acme" as TenantName;
const row: SessionRow = {
  ...{ id, tenant: acme, platform: "telegram", state: "connected", since: "2026-01-01T00:00:00.000Z", member: "shard-1", slot: 7 },
  ...{ name: "Ann Lee", phone: "+15550100", label: "front desk", lastError: "", restrictedUntil: "", webhookLag: 0 },
};

describe("a filter", () => {
  it.each<[string, SessionFilter, boolean]>([
    ["of nothing takes all", {}, true],
    ["of its tenant", { tenant: "acme" }, true],
    ["of another tenant", { tenant: "acm" }, false],
    ["of its platform", { platform: "telegram" }, true],
    ["of the other platform", { platform: "whatsapp" }, false],
    ["of its state", { state: "connected" }, true],
    ["of another state", { state: "disconnected" }, false],
    ["of its member", { member: "shard-1" }, true],
    ["of another member", { member: "shard-10" }, false],
    ["of nobody", { member: "" }, false],
    ["of its label", { label: "front desk" }, true],
    ["of a part of its label", { label: "front" }, false],
    ["takes what fits all of it", { tenant: "acme", state: "connected", q: "ann" }, true],
    ["refuses what fits a part of it", { tenant: "acme", state: "disconnected", q: "ann" }, false],
    ["by its id", { q: id }, true],
    ["by the beginning of its id", { q: "65f0aa" }, true],
    ["by the middle of its id", { q: "f0aa" }, false],
    ["by its phone", { q: "+1 (555) 01-00" }, true],
    ["by some digits of its phone", { q: "5501" }, true],
    ["by other digits", { q: "5502" }, false],
    ["by its username", { q: "@AnnLee" }, true],
    ["by a part of its username", { q: "nnl" }, true],
    ["by an at sign alone", { q: "@" }, false],
    ["by its name", { q: "Ann Lee" }, true],
    ["by a part of its name, in other letters", { q: "n lE" }, true],
    ["by a part of its label", { q: "Desk" }, true],
    ["by what stands in none of them", { q: "front lee" }, false],
    ["by a plus sign alone", { q: "+" }, false],
  ])("%s", (_, filter, fits) => {
    expect(matches(filter, row, "annlee")).toBe(fits);
  });
  it("does not match a session without a phone or username", () => {
    expect(matches({ q: "555" }, { ...row, phone: "" }, "")).toBe(false);
  });
});

describe("parseFilter", () => {
  it.each<[SessionFilter, string]>([
    [{ platform: "signal" }, "platform must be one of the following values: whatsapp, telegram"],
    [{ state: "asleep" }, "state must be one of the following values: awaiting-qr, awaiting-password, connected, disconnected"],
    [{ q: " " }, "q should not be empty"],
  ])("refuses %o", (filter, message) => {
    expect(() => parseFilter(filter)).toThrow(message);
  });
  it("takes the rest as it is", () => {
    const filter = { tenant: "x", platform: "whatsapp", state: "awaiting-qr", member: "m", label: "l", q: "q" };
    expect(parseFilter(filter)).toEqual(filter);
  });
});

it("an id that is whole names the only session that can fit", () => {
  expect([onlySession({ q: id }), onlySession({ q: id.slice(1) }), onlySession({})]).toEqual([id, undefined, undefined]);
});

describe("what a caller sees", () => {
  const ofAcme = { keyId: "k", role: "read", tenant: acme, incarnation: "" } as const;
  it.each<[string, Principal, SessionFilter, SessionFilter | undefined]>([
    ["of all tenants, for an admin", { keyId: "k", role: "admin" }, { state: "connected" }, { state: "connected" }],
    ["of one tenant, for an admin", { keyId: "k", role: "admin" }, { tenant: "other" }, { tenant: "other" }],
    ["its own tenant's, for any other key", ofAcme, { q: "ann" }, { q: "ann", tenant: "acme", owner: ofAcme }],
    ["its own tenant's, when it says so", ofAcme, { tenant: "acme" }, { tenant: "acme", owner: ofAcme }],
    ["nothing of another tenant", ofAcme, { tenant: "other" }, undefined],
    ["nothing of a tenant without a name", ofAcme, { tenant: "" }, undefined],
  ])("%s", (_, principal, filter, visible) => {
    expect(visibleTo(principal, filter)).toEqual(visible);
  });
});
