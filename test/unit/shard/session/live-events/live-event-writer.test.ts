import { expect, it } from "vitest";
import { newSessionId } from "../../../../../shared/contract/ids.js";
import { defaultTenant } from "../../../../../shared/contract/tenant.js";
import { silentLog } from "../../../../../shared/log/logger.js";
import { keys } from "../../../../../shared/redis/keys.js";
import { LiveEventWriter, waitingMax } from "../../../../../shard/session/live-events/live-event-writer.js";
import { eventually } from "../../../../harness/eventually.js";
import { LiveEventsUnderTest } from "./live-events-under-test.js";

const recorded = new LiveEventsUnderTest();
const aWriter = (): LiveEventWriter =>
  new LiveEventWriter({ redis: recorded.redis, member: "shard-1", metrics: { liveEvents: recorded.count }, log: silentLog, retryMs: 10 });
const session = { id: newSessionId(Date.now()), platform: "telegram", tenant: defaultTenant } as const;

it("publishes states and slots in order, without account data", async () => {
  const writer = aWriter();
  writer.session(session, "connected");
  writer.slots([5, 6]);
  await writer.stop();
  const at = expect.any(String);
  expect(await recorded.published()).toEqual([
    { type: "session", at, session: session.id, platform: "telegram", tenant: "default", state: "connected", member: "shard-1" },
    { type: "slots", at, member: "shard-1", slots: [5, 6] },
  ]);
  expect(recorded.counts).toEqual({ written: 2, lost: 0, skipped: 0 });
});

it("publishes codes and loads at once, then throttled, with the load at that moment", async () => {
  const writer = aWriter();
  let slots = 9;
  const load = () => ({ slots, sessions: 2, drained: true });
  for (let n = 0; n < 3; n++) writer.code(session);
  writer.load(load);
  slots = 5;
  writer.load(load);
  slots = 0;
  writer.rotation({ state: "ended", total: 4, done: 3, failed: 1 });
  await writer.stop();
  const [at, member] = [expect.any(String) as string, "shard-1"];
  const code = { type: "code", at, session: session.id, platform: "telegram", tenant: "default", member };
  expect(await recorded.published()).toEqual([
    code,
    { type: "load", at, member, slots: 9, sessions: 2, drained: true },
    { type: "rotation", at, member, state: "ended", total: 4, done: 3, failed: 1 },
    // The end writes the events that were not written yet.
    code,
    { type: "load", at, member, slots: 0, sessions: 2, drained: true },
  ]);
});

it("loses events past its bound, and appends an entry that some are missing", async () => {
  // A string in the stream's place makes Redis reject the writes.
  await recorded.redis.set(keys.liveEvents, "x");
  const writer = aWriter();
  for (let n = 0; n < waitingMax + 2; n++) writer.session(session, n % 2 === 0 ? "connected" : "disconnected");
  expect(recorded.counts).toEqual({ written: 0, lost: 2, skipped: 0 });
  await recorded.redis.del(keys.liveEvents);
  await eventually("all that were kept", () => recorded.counts.written === waitingMax);
  await writer.stop();
  const types = (await recorded.published()).map(({ type }) => type);
  expect(types.filter((type) => type === "missed")).toHaveLength(1);
  expect(types).toHaveLength(waitingMax + 1);
});
