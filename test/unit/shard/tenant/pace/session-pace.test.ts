import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PaceRates } from "../../../../../shard/tenant/pace/pace-rates.js";
import { contactField, SessionPace, type Contact } from "../../../../../shard/tenant/pace/session-pace.js";
import { TestContext } from "../../../../platform/session-context.js";

const minuteMs = 60_000;
const rates = { sends: { intervalMs: 1_000, burst: 2 }, newContacts: { intervalMs: minuteMs, burst: 1 } };
const none = { sends: undefined, newContacts: undefined };
let now: number;
let refused: number;
let context: TestContext;
beforeEach(() => {
  // Stored times use the wall clock. A fake Date excludes the test's own duration.
  vi.useFakeTimers({ toFake: ["Date"] });
  now = 5;
  refused = 0;
  context = new TestContext();
});
afterEach(() => void vi.useRealTimers());

/** Returns the pace as the next owner builds it from the stored state. */
const aPace = (of: PaceRates = rates): SessionPace => changing(() => of);
const changing = (of: () => PaceRates): SessionPace =>
  new SessionPace({ rates: of, peers: context.peers, onRefused: () => (refused += 1), nowMs: () => now });
const newContact = (id: string) => (): Contact => ({ id, isKnown: () => Promise.resolve(false) });
const friend = (id: string) => (): Contact => ({ id, isKnown: () => Promise.resolve(true) });
const noContact = (): undefined => undefined;
const tooMany = { status: 429, message: "too many requests" };

it("counts a message once, however often its command is run, also at the next owner", async () => {
  const pace = aPace();
  for (let time = 0; time < 3; time += 1) await pace.count({ id: "a" }, noContact);
  expect([pace.waitMs(), pace.waitMs(1)]).toEqual([0, 1_000]);
  const next = aPace();
  await next.count({ id: "a", isRepeat: true }, noContact);
  expect([next.waitMs(), Math.round(next.waitMs(1) / 10)]).toEqual([0, 100]);
});

it("counts reserved turns, and returns unused ones", async () => {
  const pace = aPace();
  await pace.ready();
  const [first, second] = [pace.takeTurn("a"), pace.takeTurn("b")];
  expect(pace.waitMs()).toBe(1_000);
  const freed = pace.nextFreed();
  first.end();
  expect([freed.aborted, pace.waitMs()]).toEqual([true, 0]);
  await pace.count({ id: "b" }, noContact);
  second.end();
  expect([pace.waitMs(), pace.waitMs(1)]).toEqual([0, 1_000]);
});

it("refuses one new contact too many before anything is counted, with when to come again", async () => {
  const pace = aPace();
  await pace.count({ id: "a" }, newContact("1"));
  await expect(pace.count({ id: "b" }, newContact("2"))).rejects.toMatchObject({ ...tooMany, retryAfterSeconds: 60 });
  expect([refused, pace.waitMs()]).toEqual([1, 0]);
  expect([...context.storage.peers.keys()].sort()).toEqual([contactField("1"), "pace"].sort());
  now += minuteMs / 2;
  await expect(pace.count({ id: "c" }, newContact("2"))).rejects.toMatchObject({ ...tooMany, retryAfterSeconds: 30 });
  now += minuteMs / 2;
  await pace.count({ id: "d" }, newContact("2"));
});

it("does not count known contacts, earlier recipients or groups as new", async () => {
  const pace = aPace();
  await pace.count({ id: "a" }, newContact("1"));
  await pace.count({ id: "b" }, newContact("1"));
  await pace.count({ id: "c" }, friend("2"));
  await pace.count({ id: "d" }, noContact);
  await aPace().count({ id: "e" }, newContact("1"));
  expect(refused).toBe(0);
});

it("counts two concurrent messages to one unknown contact as one new contact", async () => {
  const pace = aPace();
  await Promise.all([pace.count({ id: "a" }, newContact("1")), pace.count({ id: "b" }, newContact("1"))]);
  await expect(pace.count({ id: "c" }, newContact("2"))).rejects.toMatchObject({ ...tooMany, retryAfterSeconds: 60 });
});

it("never refuses what may have gone out", async () => {
  const pace = aPace();
  await pace.count({ id: "a" }, newContact("1"));
  await pace.count({ id: "b", isRepeat: true }, newContact("2"));
  expect(refused).toBe(0);
});

it("goes on at the next owner, and with another pace costs no more than a burst of that", async () => {
  const slow = { ...rates, newContacts: { intervalMs: 60 * minuteMs, burst: 1 } };
  await aPace(slow).count({ id: "a" }, newContact("1"));
  await expect(aPace(slow).count({ id: "b" }, newContact("2"))).rejects.toMatchObject({ retryAfterSeconds: 3_600 });
  await expect(aPace().count({ id: "b" }, newContact("2"))).rejects.toMatchObject({ retryAfterSeconds: 60 });
  const quick = aPace({ ...rates, newContacts: { intervalMs: 1, burst: 100 } });
  await quick.ready();
  now += 1;
  await quick.count({ id: "b" }, newContact("2"));
});

it("forgets a former account's contacts, and keeps the pace", async () => {
  const pace = aPace();
  await pace.count({ id: "a" }, newContact("1"));
  await context.peers.clear();
  await pace.forget();
  await expect(pace.count({ id: "b" }, newContact("1"))).rejects.toMatchObject(tooMany);
  await expect(aPace().count({ id: "b" }, newContact("1"))).rejects.toMatchObject(tooMany);
});

it("starts over when the stored record is unreadable", async () => {
  context.storage.peers.set("pace", '{"sendsUntil":"noon"}');
  await aPace().count({ id: "a" }, newContact("1"));
  expect(refused).toBe(0);
});

it("goes by other rates from the moment at which they are others: what was used of the one is used of the other", async () => {
  let at: PaceRates = { ...rates, sends: { intervalMs: 60_000, burst: 2 } };
  const pace = changing(() => at);
  for (const id of ["a", "b"]) await pace.count({ id }, noContact);
  expect(pace.waitMs()).toBe(60_000);
  at = rates;
  expect([pace.waitMs(), pace.waitMs(1)]).toEqual([1_000, 2_000]);
  at = { ...rates, sends: { intervalMs: 30_000, burst: 2 } };
  expect(pace.waitMs()).toBe(30_000);
  // A smaller burst limits the debt to that burst.
  at = { ...rates, sends: { intervalMs: 30_000, burst: 1 } };
  expect(pace.waitMs()).toBe(30_000);
});

it("wakes waiters when the rates change", () => {
  const pace = aPace();
  const freed = pace.nextFreed();
  pace.changed();
  expect(freed.aborted).toBe(true);
});

it("neither counts, stores nor checks contacts while there is no pace", async () => {
  let at: PaceRates = none;
  const pace = changing(() => at);
  const contact = (): Contact => {
    throw new Error("asked");
  };
  for (let time = 0; time < 5; time += 1) await pace.count({ id: String(time) }, contact);
  expect([pace.isOn, pace.boundsNewContacts, pace.waitMs(), context.storage.peers.size]).toEqual([false, false, 0, 0]);
  at = rates;
  expect([pace.isOn, pace.boundsNewContacts, pace.waitMs(), pace.waitMs(2)]).toEqual([true, true, 0, 1_000]);
  await pace.count({ id: "a" }, newContact("1"));
  await expect(pace.count({ id: "b" }, newContact("2"))).rejects.toMatchObject(tooMany);
});

it("of what began before there was a pace counts no more than a burst", async () => {
  const pace = aPace();
  for (let time = 0; time < 200; time += 1) await pace.count({ id: String(time) }, noContact);
  expect(pace.waitMs()).toBe(1_000);
});

it("keeps what was used of a rate that is taken away for a while, also over its owner's end", async () => {
  let at: PaceRates = rates;
  const pace = changing(() => at);
  await pace.count({ id: "a" }, newContact("1"));
  at = { ...rates, newContacts: undefined };
  await pace.count({ id: "b" }, newContact("2"));
  at = rates;
  await expect(pace.count({ id: "c" }, newContact("3"))).rejects.toMatchObject(tooMany);
  at = { ...rates, newContacts: undefined };
  const next = changing(() => at);
  await next.count({ id: "d" }, newContact("4"));
  at = rates;
  await expect(next.count({ id: "e" }, newContact("5"))).rejects.toMatchObject(tooMany);
});
