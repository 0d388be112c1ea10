import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { slotOf } from "../../../../shared/contract/slot.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { qrValidityMs } from "../../../../shared/limits.js";
import { keys } from "../../../../shared/redis/keys.js";
import { Host, type HostMetrics } from "../../../../shard/cluster/host.js";
import { HostedSessions } from "../../../../shard/cluster/hosted-sessions.js";
import type { AnyPlatform } from "../../../../shard/session/platform-adapter.js";
import { aCourier } from "../../../harness/courier.js";
import { eventually } from "../../../harness/eventually.js";
import { ownedSession, type OwnedSession } from "../../../harness/owned-session.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { ScriptedConnector } from "../session/scripted-connector.js";

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());
afterEach(() => vi.restoreAllMocks());

interface Hosting {
  readonly host: Host;
  readonly stored: OwnedSession;
  /** Connectors in the order in which they were opened. */
  readonly opened: ScriptedConnector[];
  readonly counts: string[];
  /** Expiries in the audit log. */
  readonly expired: unknown[];
  /** Events for operators. */
  readonly published: string[];
}

/** How long the platform holds the event loop to open a session. */
let openMs = 0;

function holdLoop(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}

/** Returns a host that owns the slot of one stored session and has loaded it. */
async function hosting(logsIn = true): Promise<Hosting> {
  const stored = await ownedSession(redis.client);
  const { token, id, writer } = stored;
  const opened: ScriptedConnector[] = [];
  const published: string[] = [];
  const counts: string[] = [];
  const platform: AnyPlatform = {
    open: (context) => {
      holdLoop(openMs);
      const connector = new ScriptedConnector(context, [], logsIn);
      opened.push(connector);
      return connector;
    },
    commands: {},
    dropMs: 0,
    refusalOf: () => undefined,
    onConnectionEnd: (kind) => void counts.push(kind),
  };
  const expired: unknown[] = [];
  const metrics: HostMetrics = {
    sessionOpened: () => void counts.push("opened"),
    sessionClosed: () => void counts.push("closed"),
    stateEntered: (_, state) => void counts.push(state),
    newContactRefused: () => void counts.push("refused"),
    firstMessageBlocked: () => void counts.push("blocked"),
  };
  const host = new Host({
    hosted: new HostedSessions((closed) => metrics.sessionClosed(closed)),
    slots: { holds: () => true, token: () => token, fenced: () => undefined },
    audit: { expired: (...row) => void expired.push(row) },
    writer,
    platforms: { telegram: platform, whatsapp: platform },
    tenantProxy: () => "",
    paceOf: () => ({ sends: undefined, newContacts: undefined }),
    youngMs: { whatsapp: 0, telegram: 0 },
    qrPng: () => Promise.resolve(Buffer.from("png")),
    courier: aCourier(),
    refusals: { note: () => undefined },
    metrics,
    liveEvents: {
      session: ({ tenant }, state) => void published.push(`${tenant} ${state}`),
      code: ({ tenant }) => void published.push(`${tenant} code`),
      restriction: () => undefined,
      delivery: () => undefined,
    },
    log: silentLog,
  });
  await host.acquired([{ slot: slotOf(id), token, settleMs: 0, silent: false }]);
  return { host, stored, opened, counts, published, expired };
}

it("has removed a deleted session and its record when the deletion resolves", async () => {
  const { host, stored, opened, counts, published, expired } = await hosting();
  const session = host.get("telegram", stored.id);
  await eventually("a login", () => session?.state().kind === "connected");
  await session?.delete();
  expect(host.get("telegram", stored.id)).toBeUndefined();
  expect(host.size).toBe(0);
  expect(await redis.client.exists(keys.session(stored.id))).toBe(0);
  await eventually("its connector has finished", () => opened[0]?.steps.at(-1) === "finish");
  expect(counts).toEqual(["opened", "awaiting-qr", "connected", "deleted", "closed"]);
  // The deletion's request is in the audit log, so no expiry is recorded.
  expect(expired).toEqual([]);
  // Loading the session caused no event.
  expect(published).toEqual(["default connected", "default deleted"]);
});

it("forgets a session that a timer deletes, without a log-out", async () => {
  const { host, stored, opened } = await hosting(false);
  for (const session of host.all()) await session.elapse(24 * 3_600_000);
  expect(host.get("telegram", stored.id)).toBeUndefined();
  expect(opened[0]?.steps).not.toContain("log out");
  expect(await redis.client.exists(keys.trash(keys.session(stored.id)))).toBe(1);
});

it("finds a session only by its own platform", async () => {
  const { host, stored } = await hosting(false);
  expect(host.get("telegram", stored.id)).toBeDefined();
  expect(host.get("whatsapp", stored.id)).toBeUndefined();
  await host.drain(slotOf(stored.id));
});

it("opens a returning session once its earlier life has closed its connection", async () => {
  const { host, stored, opened } = await hosting();
  const { id, token } = stored;
  const slot = slotOf(id);
  await eventually("a login", () => host.get("telegram", id)?.state().kind === "connected");
  let finish: () => void = () => undefined;
  Object.assign(opened[0] ?? {}, { finish: () => new Promise<void>((resolve) => (finish = resolve)) });
  host.lost([slot]);
  await host.acquired([{ slot, token, settleMs: 0, silent: false }]);
  expect(opened).toHaveLength(2);
  await eventually("the former one is about to finish", () => opened[0]?.connects === 1);
  expect(opened[1]?.steps).toEqual([]);
  finish();
  await eventually("the next life connects", () => opened[1]?.connects === 1);
  await host.drain(slot);
});

it("writes an audit entry with the tenant when a timer deletes a session", async () => {
  const { host, stored, expired } = await hosting(false);
  const session = host.get("telegram", stored.id);
  await session?.elapse(qrValidityMs);
  expect(session?.state()).toEqual({ kind: "deleted", reason: "qr-expired" });
  expect(expired).toEqual([[{ id: stored.id, tenant: "default" }, "qr-expired"]]);
});

it("publishes each state of a session once, also of one that is not connected here yet", async () => {
  const { host, stored, published } = await hosting();
  const { id, token } = stored;
  const slot = slotOf(id);
  await eventually("a login", () => host.get("telegram", id)?.state().kind === "connected");
  await host.drain(slot);
  await host.acquired([{ slot, token, settleMs: 0, silent: false }]);
  await eventually("another published login", () => published.length === 3);
  expect(published).toEqual(["default connected", "default disconnected", "default connected"]);
  await host.drain(slot);
});

it("ends the pauses of a platform's other sessions when the first one recovers from an outage", async () => {
  const { host, stored, opened } = await hosting();
  const other = await ownedSession(redis.client);
  await host.acquired([{ slot: slotOf(other.id), token: other.token, settleMs: 0, silent: false }]);
  const [first, second] = [host.get("telegram", stored.id), host.get("telegram", other.id)];
  await eventually("two logins", () => [first, second].every((session) => session?.state().kind === "connected"));
  const lost = { kind: "lost", established: false, waitMs: 0, cause: new Error("refused") } as const;
  // Without pauses both sessions soon have many failures.
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  const connects = opened.map((connector) => {
    const connect = vi.spyOn(connector, "connect").mockResolvedValue(lost);
    connector.end(lost);
    return connect;
  });
  await eventually("many failures", () => connects.every(({ mock }) => mock.calls.length > 10));
  const failures = connects.map(
    (connect) =>
      new Promise<() => void>((resolve) => {
        connect.mockImplementation(() => new Promise((end) => resolve(() => end(lost))));
      }),
  );
  const fail = await Promise.all(failures);
  // From here on a pause takes a minute.
  random.mockReturnValue(0.999);
  for (const connect of connects) connect.mockRestore();
  for (const one of fail) one();
  await eventually("one is back", () => {
    first?.retryNow();
    return first?.state().kind === "connected";
  });
  await eventually("the other one is back", () => second?.state().kind === "connected", 30_000);
  for (const { id } of [stored, other]) await host.drain(slotOf(id));
});

it("opens many stored sessions over several turns of the event loop, and drains none of them before all are open", async () => {
  const { host, stored, opened } = await hosting(false);
  const slot = slotOf(stored.id);
  await host.drain(slot);
  const others = await Promise.all(Array.from({ length: 3 }, () => ownedSession(redis.client)));
  const slots = [stored, ...others].map(({ id, token }) => ({ slot: slotOf(id), token, settleMs: 0, silent: false }));
  opened.length = 0;
  // Each session takes longer to open than a slice of the loop.
  openMs = 30;
  onTestFinished(() => void (openMs = 0));
  const acquired = host.acquired(slots);
  const drained = Promise.all(slots.map((one) => host.drain(one.slot)));
  await eventually("the first session", () => opened.length > 0);
  expect(opened.length).toBeLessThan(slots.length);
  await Promise.all([acquired, drained]);
  expect(opened).toHaveLength(slots.length);
  expect(host.size).toBe(0);
});

it("reports a slot that was lost and acquired again as loaded only when its later load has ended", async () => {
  const { host, stored } = await hosting(false);
  const { id, token, writer } = stored;
  const slot = slotOf(id);
  const ends: (() => void)[] = [];
  vi.spyOn(writer, "load").mockImplementation(() => new Promise((resolve) => ends.push(() => resolve([]))));
  const acquire = (): Promise<void> => host.acquired([{ slot, token, settleMs: 0, silent: false }]);
  const former = acquire();
  host.lost([slot]);
  const later = acquire();
  let isLoaded = false;
  ends[0]?.();
  await former;
  const loaded = host.loaded(slot).then(() => (isLoaded = true));
  await new Promise(setImmediate);
  expect(isLoaded).toBe(false);
  ends[1]?.();
  await Promise.all([later, loaded]);
});
