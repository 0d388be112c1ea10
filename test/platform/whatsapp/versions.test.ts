import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "../../../shared/log/logger.js";
import { keys } from "../../../shared/redis/keys.js";
import type { SessionState } from "../../../shared/session/state.js";
import {
  ClientVersions,
  type ClientVersionsOptions,
  type VersionPort,
  type VersionNumbers,
} from "../../../shard/whatsapp/version/client-versions.js";
import type { ClientVersion } from "../../../shard/whatsapp/version/parse-version.js";
import { libraryVersion } from "../../../shard/whatsapp/whatsapp-adapter.js";
import { testEgress } from "../../harness/egress.js";
import { eventually } from "../../harness/eventually.js";
import { startRedis, type TestRedis } from "../../harness/redis.js";
import { WhatsAppFixture } from "./fixture.js";

/**
 * Tests how the platform changes the client version, with the real library, the sandbox, Redis, and a server that names the newest
 * version.
 */
const [major, minor, own] = libraryVersion;
const versionOf = (revision: number): string => [major, minor, revision].join(".");
const page = (revision: number): string => `self.x={\\"client_revision\\":${revision},\\"server\\":1}`;

let redis: TestRedis;
let fixture: WhatsAppFixture;
let server: Server;
let served: { status: number; body: string };
let requests = 0;
let lookups: string[] = [];
let refusals = 0;
let reportedVersions: VersionNumbers | undefined;
const open: ClientVersions[] = [];
let versions: VersionPort;

const url = (): URL => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sw.js`);
const make = (more: Partial<ClientVersionsOptions> = {}): ClientVersions => {
  const made = new ClientVersions({
    redis: redis.client,
    egress: testEgress(),
    library: libraryVersion,
    pinned: undefined,
    url: url(),
    metrics: {
      onVersion: (reported) => void (reportedVersions = reported),
      onVersionLookup: (outcome) => void lookups.push(outcome),
      onVersionRefused: () => void (refusals += 1),
    },
    log: silentLog,
    ...more,
  });
  open.push(made);
  return made;
};
const refuseBelow = (revision: number): Promise<void> => fixture.control("/faults", { kind: "outdated", error: versionOf(revision) });
/** Returns how often the record was read so far. */
const scriptsRun = async (): Promise<number> => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.client.info("commandstats"))?.[1]);
const isLost = ({ kind }: SessionState): boolean => kind === "disconnected";

beforeAll(async () => {
  redis = await startRedis();
  server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(served.status, { "content-type": "text/javascript" });
    response.end(served.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  fixture = await WhatsAppFixture.start(
    {},
    { versions: { current: () => versions.current(), refused: (version) => versions.refused(version) } },
  );
});
beforeEach(async () => {
  await redis.client.flushall();
  fixture.sandbox.whatsapp.control.clearFaults();
  served = { status: 200, body: page(own + 1_000) };
  requests = refusals = 0;
  lookups = [];
  reportedVersions = undefined;
  versions = make();
});
afterEach(async () => {
  await fixture.closeSessions();
  await Promise.all(open.splice(0).map((made) => made.stop()));
});
afterAll(async () => {
  await fixture.stop();
  await redis.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("a platform that refuses the library's version", () => {
  test("retries at once with the newest version found, and keeps the login", async () => {
    const { context } = await fixture.login("alice");
    await refuseBelow(own + 500);
    await fixture.control("/faults", { kind: "close", account: "alice", error: "405" });
    await context.until(isLost);
    await context.connected();
    expect(context.history).not.toContain("logged-out");
    expect(await versions.current()).toEqual([major, minor, own + 1_000]);
    expect({ requests, lookups }).toEqual({ requests: 1, lookups: ["found"] });
    expect(reportedVersions).toMatchObject({ spoken: own + 1_000, found: own + 1_000 });
    // A process that starts now reads the version that the cluster knows.
    expect(await make().current()).toEqual([major, minor, own + 1_000]);
    expect(requests).toBe(1);
  });

  test("shows a code to a device that was not linked yet", async () => {
    await refuseBelow(own + 500);
    const { context } = fixture.open();
    expect(await context.qr()).toMatch(/^https:/);
    expect(refusals).toBe(1);
  });

  test("stops retrying when there is no newer version, in all sessions, with one lookup for all", async () => {
    served = { status: 200, body: page(own) };
    const [alice, bob] = [await fixture.login("alice"), await fixture.login("bob")];
    await refuseBelow(own + 500);
    fixture.resetCalls();
    await fixture.control("/faults", { kind: "close", error: "405" });
    for (const { context, session } of [alice, bob]) {
      await context.until(isLost);
      await eventually("a wait", () => session.isWaitingForPlatform);
      expect(context.failures.at(-1)).toContain("takes this version of the client no longer");
      expect(context.storage.credentials).toBeDefined();
    }
    expect({ requests, logins: fixture.calls("login") }).toEqual({ requests: 1, logins: 0 });
  });

  test.each<[string, { status: number; body: string }]>([
    ["fails", { status: 500, body: page(own + 1_000) }],
    ["names no version", { status: 200, body: "<html>nothing</html>" }],
    ["names one that cannot be", { status: 200, body: page(own + 500_000_000) }],
    ["names another family", { status: 200, body: `9.9.${own + 1_000}` }],
    ["has no end", { status: 200, body: `${"x".repeat(5 * 1024 * 1024)}${page(own + 1_000)}` }],
  ])("ignores a lookup that %s", async (_, given) => {
    served = given;
    expect(await versions.refused(libraryVersion)).toBe(false);
    expect(lookups).toEqual(["failed"]);
    expect(await versions.current()).toEqual(libraryVersion);
  });
});

describe("ClientVersions", () => {
  const newest: ClientVersion = [major, minor, own + 1_000];

  test("speaks the library's version as long as that is taken, however new the newest one is", async () => {
    const daily = make({ everyMs: 20 });
    daily.start();
    await eventually("a lookup", () => reportedVersions?.found === own + 1_000);
    expect(await daily.current()).toEqual(libraryVersion);
  });

  test("one process of a cluster runs a lookup once a day, and the others read the result", async () => {
    const [first, second] = [make({ everyMs: 10 }), make({ everyMs: 10 })];
    first.start();
    second.start();
    await eventually("a lookup", () => requests > 0);
    const before = await scriptsRun();
    await eventually("many further reads", async () => (await scriptsRun()) > before + 20);
    expect(requests).toBe(1);
    expect(await first.refused(libraryVersion)).toBe(true);
    expect(await make().current()).toEqual(newest);
    expect(requests).toBe(1);
  });

  test("one of several refused processes runs a lookup, and all get the result", async () => {
    const shards = [make(), make(), make()];
    expect(await Promise.all(shards.map((shard) => shard.refused(libraryVersion)))).toEqual([true, true, true]);
    for (const shard of shards) expect(await shard.current()).toEqual(newest);
    expect(requests).toBe(1);
  });

  test("runs no second lookup within ten minutes when the newest version is refused", async () => {
    expect(await versions.refused(libraryVersion)).toBe(true);
    expect(await versions.refused(newest)).toBe(false);
    expect(await versions.refused(newest)).toBe(false);
    expect({ requests, refusals }).toEqual({ requests: 1, refusals: 3 });
    // After ten minutes, a refusal starts another lookup.
    await redis.client.hset(keys.whatsappVersion, "asked", Date.now() - 11 * 60_000);
    served = { status: 200, body: versionOf(own + 2_000) };
    expect(await versions.refused(newest)).toBe(true);
    expect(await versions.current()).toEqual([major, minor, own + 2_000]);
  });

  test("a pinned version is the only one, whatever is found or refused", async () => {
    await versions.refused(libraryVersion);
    const pinned: ClientVersion = [2, 3000, own - 5];
    const fixed = make({ pinned });
    expect(await fixed.refused(pinned)).toBe(false);
    expect(await fixed.current()).toEqual(pinned);
    expect(reportedVersions).toEqual({ spoken: own - 5 });
    expect(requests).toBe(1);
  });

  test("runs no lookup without an address, but uses the versions that other shards found", async () => {
    const silent = make({ url: undefined });
    expect(await silent.refused(libraryVersion)).toBe(false);
    expect(requests).toBe(0);
    await redis.client.hset(keys.whatsappVersion, { found: own + 7, foundAt: Date.now() });
    expect(await silent.refused(libraryVersion)).toBe(true);
    expect(await silent.current()).toEqual([major, minor, own + 7]);
  });

  test("does not block connections while Redis is down", async () => {
    const gone = await startRedis();
    const lonely = make({ redis: gone.client });
    await gone.stop();
    expect(await lonely.current()).toEqual(libraryVersion);
    expect(await lonely.refused(libraryVersion)).toBe(false);
  });
});
