import { expect, it } from "vitest";
import type { OwnPace } from "../../../../../shared/tenant/tenant-pace.js";
import { paceRates } from "../../../../../shard/tenant/pace/pace-rates.js";

const deployment = { sends: { count: 30, burst: 10 }, newContacts: { count: 20, burst: 5 } };
const off = { sends: { count: 0, burst: 10 }, newContacts: { count: 0, burst: 5 } };
const sends = { intervalMs: 2_000, burst: 10 };
const newContacts = { intervalMs: 180_000, burst: 5 };

it.each<[string, OwnPace, unknown]>([
  ["nothing of its own", {}, { sends, newContacts }],
  ["nothing of its own any more", { sendsPerMinute: null, newContactsPerHour: null }, { sends, newContacts }],
  ["a faster one", { sendsPerMinute: 60 }, { sends: { intervalMs: 1_000, burst: 10 }, newContacts }],
  ["none", { sendsPerMinute: 0 }, { sends: undefined, newContacts }],
  ["one of a few: no more than these at once", { newContactsPerHour: 2 }, { sends, newContacts: { intervalMs: 1_800_000, burst: 2 } }],
])("a tenant that has %s", (_, own, expected) => {
  expect(paceRates(deployment, own)).toEqual(expected);
});

it("a tenant may have a pace where the deployment has none", () => {
  expect(paceRates(off)).toEqual({ sends: undefined, newContacts: undefined });
  expect(paceRates(off, { newContactsPerHour: 3_600 })).toEqual({ sends: undefined, newContacts: { intervalMs: 1_000, burst: 5 } });
});
