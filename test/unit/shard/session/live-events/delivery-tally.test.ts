import { expect, it } from "vitest";
import { markListener } from "../../../../../router/admin/live-events/stored-events.js";
import { newSessionId } from "../../../../../shared/contract/ids.js";
import { defaultTenant } from "../../../../../shared/contract/tenant.js";
import { silentLog } from "../../../../../shared/log/logger.js";
import { keys } from "../../../../../shared/redis/keys.js";
import {
  DeliveryTally,
  type DeliveryTallyOptions,
  sessionsMax,
  publishedAtOnce,
} from "../../../../../shard/session/live-events/delivery-tally.js";
import type { LiveEventSubject } from "../../../../../shard/session/live-events/live-event-subject.js";
import { eventually } from "../../../../harness/eventually.js";
import { LiveEventsUnderTest } from "./live-events-under-test.js";

const recorded = new LiveEventsUnderTest();
const aTally = (everyMs = 20, onPublished: DeliveryTallyOptions["onPublished"] = recorded.count): DeliveryTally =>
  new DeliveryTally({
    redis: recorded.redis,
    member: "shard-1",
    onPublished,
    log: silentLog,
    everyMs,
  });
const aSession = (): LiveEventSubject => ({ id: newSessionId(Date.now()), platform: "telegram", tenant: defaultTenant });
const oldest = (): number => 7.9;

it("reports the sums of a session once, with the age of its oldest waiting event", async () => {
  await markListener(recorded.redis);
  const tally = aTally();
  const session = aSession();
  tally.count(session, "delivered", 1, oldest);
  tally.count(session, "delivered", 1, oldest);
  tally.count(session, "failed", 1, oldest);
  tally.count(session, "dead", 3, oldest);
  await eventually("the sum", () => recorded.counts.written === 1);
  tally.count(session, "replayed", 3, oldest);
  await tally.stop();
  const common = {
    type: "deliveries",
    at: expect.any(String),
    session: session.id,
    platform: "telegram",
    tenant: "default",
    member: "shard-1",
  };
  expect(await recorded.published()).toEqual([
    { ...common, delivered: 2, failed: 1, dead: 3, replayed: 0, webhookLag: 7 },
    { ...common, delivered: 0, failed: 0, dead: 0, replayed: 3, webhookLag: 7 },
  ]);
});

it("reports nothing while no operator listens", async () => {
  const tally = aTally();
  for (let n = 0; n < publishedAtOnce + 5; n++) tally.count(aSession(), "delivered", 1, oldest);
  await eventually("all of them forgotten", () => recorded.counts.skipped === publishedAtOnce + 5);
  await tally.stop();
  expect(await recorded.published()).toEqual([]);
});

it("reports a bounded number of sessions at once, and the others in the next round", async () => {
  await markListener(recorded.redis);
  const outcomes: [outcome: string, sessions: number][] = [];
  const tally = aTally(20, (...outcome) => outcomes.push(outcome));
  const sessions = Array.from({ length: publishedAtOnce + 1 }, aSession);
  for (const session of sessions) tally.count(session, "delivered", 1, oldest);
  await eventually("both", () => outcomes.length === 2);
  expect(outcomes).toEqual([
    ["written", publishedAtOnce],
    ["written", 1],
  ]);
  expect((await recorded.published()).map(({ session }) => session)).toEqual(sessions.map(({ id }) => id));
  await tally.stop();
});

it("keeps counts that Redis did not store, and counts lost ones past its bound", async () => {
  await markListener(recorded.redis);
  // A string in the stream's place makes Redis reject the writes.
  await recorded.redis.set(keys.liveEvents, "x");
  const tally = aTally();
  const session = aSession();
  tally.count(session, "delivered", 1, oldest);
  for (let n = 1; n < sessionsMax; n++) tally.count(aSession(), "delivered", 1, oldest);
  tally.count(aSession(), "delivered", 1, oldest);
  expect(recorded.counts.lost).toBe(1);
  tally.count(session, "failed", 2, oldest);
  await recorded.redis.del(keys.liveEvents);
  const ours = async (): Promise<Record<string, unknown> | undefined> =>
    (await recorded.published()).find((row) => row["session"] === session.id);
  expect(await eventually("what was kept", ours)).toMatchObject({ delivered: 1, failed: 2 });
  await tally.stop();
});
