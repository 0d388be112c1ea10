import { describe, expect, it } from "vitest";
import { sessionRow, type RowRecord } from "../../../../router/admin/session-row.js";
import type { SlotOwner, SlotToken } from "../../../../shared/cluster/ownership.js";
import type { SessionId } from "../../../../shared/contract/ids.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import type { SessionSummary } from "../../../../shared/session/summary.js";

const summary: SessionSummary = {
  ...{ state: "connected", since: "2026-01-01T00:00:00.000Z", lastError: "connection lost" },
  ...{ name: "Ann", username: "ann", phone: "15550001" },
};
const record: RowRecord = {
  ...{
    id: "65f0aaaaaaaaaaaaaaaaaaaa" as SessionId,
    platform: "telegram",
    tenant: "acme" as TenantName,
    incarnation: "",
    label: "desk",
    stamp: "5",
    summary,
  },
};
const owner: SlotOwner = { member: "shard-1", incarnation: "i1", token: "5" as SlotToken, state: "held" };
const alive = { lives: () => true, isResponsive: () => true };
const shown = { state: "connected", member: "shard-1" };

describe("sessionRow", () => {
  it("shows what is stored, and not the username", () => {
    expect(sessionRow(record, 7, owner, alive)).toEqual({
      ...{ id: record.id, tenant: "acme", platform: "telegram", state: "connected", since: summary.since, member: "shard-1", slot: 7 },
      ...{ name: "Ann", phone: "15550001", label: "desk", lastError: "connection lost", restrictedUntil: "" },
    });
  });

  it("shows a restriction until it ends", () => {
    const restrictedUntil = "2026-11-21T14:27:39.000Z";
    const restricted = { ...record, summary: { ...summary, restrictedUntil } };
    expect(sessionRow(restricted, 7, owner, alive, Date.parse(restrictedUntil) - 1)).toMatchObject({ restrictedUntil });
    expect(sessionRow(restricted, 7, owner, alive, Date.parse(restrictedUntil))).toMatchObject({ restrictedUntil: "" });
  });

  it.each<[string, Partial<RowRecord>, SlotOwner | undefined, typeof alive, object]>([
    ["while a living owner says so", {}, owner, alive, shown],
    ["while that owner gives its slot away", {}, { ...owner, state: "draining" }, alive, shown],
    ["not while nobody owns the slot", {}, undefined, alive, { state: "disconnected", member: "" }],
    ["not once the slot is given back", {}, { ...owner, state: "free" }, alive, { state: "disconnected", member: "" }],
    ["not before a new owner has stamped it", { stamp: "4" }, owner, alive, { state: "disconnected", member: "" }],
    ["not when its owner is dead", {}, owner, { ...alive, lives: () => false }, { state: "disconnected", member: "" }],
    [
      "not when its owner has not been heard of lately",
      {},
      owner,
      { ...alive, isResponsive: () => false },
      { state: "disconnected", member: "shard-1" },
    ],
    [
      "and what waits for its login does so whoever owns it",
      { summary: { ...summary, state: "awaiting-password" } },
      undefined,
      alive,
      { state: "awaiting-password", member: "" },
    ],
  ])("is connected %s", (_, change, of, members, row) => {
    expect(sessionRow({ ...record, ...change }, 7, of, members)).toMatchObject(row);
  });
});
