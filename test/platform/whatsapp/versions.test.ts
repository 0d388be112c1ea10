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
  type VersionsKnown,
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
let answer: { status: number; body: string };
let asked = 0;
let lookedUp: string[] = [];
let refusals = 0;
let known: VersionsKnown | undefined;
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
      onVersion: (told) => void (known = told),
      onVersionLookUp: (outcome) => void lookedUp.push(outcome),
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
    asked += 1;
    response.writeHead(answer.status, { "content-type": "text/javascript" });
    response.end(answer.body);
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
  answer = { status: 200, body: page(own + 1_000) };
  asked = refusals = 0;
  lookedUp = [];
  known = undefined;
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
  test("is asked again at once with the newest one, which is looked up, and the login stays", async () => {
    const { context } = await fixture.login("alice");
    await refuseBelow(own + 500);
    await fixture.control("/faults", { kind: "close", account: "alice", error: "405" });
    await context.until(isLost);
    await context.connected();
    expect(context.history).not.toContain("logged-out");
    expect(await versions.current()).toEqual([major, minor, own + 1_000]);
    expect({ asked, lookedUp }).toEqual({ asked: 1, lookedUp: ["found"] });
    expect(known).toMatchObject({ spoken: own + 1_000, found: own + 1_000 });
    // A process that starts now reads the version that the cluster knows.
    expect(await make().current()).toEqual([major, minor, own + 1_000]);
    expect(asked).toBe(1);
  });

  test("shows a code to a device that was not linked yet", async () => {
    await refuseBelow(own + 500);
    const { context } = fixture.open();
    expect(await context.qr()).toMatch(/^https:/);
    expect(refusals).toBe(1);
  });

  test("is left alone when nothing newer is to be found, by all sessions, with one look-up for all", async () => {
    answer = { status: 200, body: page(own) };
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
    expect({ asked, logins: fixture.calls("login") }).toEqual({ asked: 1, logins: 0 });
  });

  test.each<[string, { status: number; body: string }]>([
    ["fails", { status: 500, body: page(own + 1_000) }],
    ["names no version", { status: 200, body: "<html>nothing</html>" }],
    ["names one that cannot be", { status: 200, body: page(own + 500_000_000) }],
    ["names another family", { status: 200, body: `9.9.${own + 1_000}` }],
    ["has no end", { status: 200, body: `${"x".repeat(5 * 1024 * 1024)}${page(own + 1_000)}` }],
  ])("a look-up that %s changes nothing", async (_, given) => {
    answer = given;
    expect(await versions.refused(libraryVersion)).toBe(false);
    expect(lookedUp).toEqual(["failed"]);
    expect(await versions.current()).toEqual(libraryVersion);
  });
});

describe("ClientVersions", () => {
  const newest: ClientVersion = [major, minor, own + 1_000];

  test("speaks the library's version as long as that is taken, however new the newest one is", async () => {
    const daily = make({ everyMs: 20 });
    daily.start();
    await eventually("a look-up", () => known?.found === own + 1_000);
    expect(await daily.current()).toEqual(libraryVersion);
  });

  test("one process of a cluster looks up, once in a day, and the others read it", async () => {
    const [first, second] = [make({ everyMs: 10 }), make({ everyMs: 10 })];
    first.start();
    second.start();
    await eventually("a look-up", () => asked > 0);
    const before = await scriptsRun();
    await eventually("many further reads", async () => (await scriptsRun()) > before + 20);
    expect(asked).toBe(1);
    expect(await first.refused(libraryVersion)).toBe(true);
    expect(await make().current()).toEqual(newest);
    expect(asked).toBe(1);
  });

  test("of processes that are refused together one looks up, and all have the answer", async () => {
    const shards = [make(), make(), make()];
    expect(await Promise.all(shards.map((shard) => shard.refused(libraryVersion)))).toEqual([true, true, true]);
    for (const shard of shards) expect(await shard.current()).toEqual(newest);
    expect(asked).toBe(1);
  });

  test("a refusal of the newest one is no reason to look up again within ten minutes", async () => {
    expect(await versions.refused(libraryVersion)).toBe(true);
    expect(await versions.refused(newest)).toBe(false);
    expect(await versions.refused(newest)).toBe(false);
    expect({ asked, refusals }).toEqual({ asked: 1, refusals: 3 });
    // After ten minutes, a refusal starts another lookup.
    await redis.client.hset(keys.whatsappVersion, "asked", Date.now() - 11 * 60_000);
    answer = { status: 200, body: versionOf(own + 2_000) };
    expect(await versions.refused(newest)).toBe(true);
    expect(await versions.current()).toEqual([major, minor, own + 2_000]);
  });

  test("a pinned version is the only one, whatever is found or refused", async () => {
    await versions.refused(libraryVersion);
    const pinned: ClientVersion = [2, 3000, own - 5];
    const fixed = make({ pinned });
    expect(await fixed.refused(pinned)).toBe(false);
    expect(await fixed.current()).toEqual(pinned);
    expect(known).toEqual({ spoken: own - 5 });
    expect(asked).toBe(1);
  });

  test("without an address nothing is looked up, and what other shards found counts all the same", async () => {
    const silent = make({ url: undefined });
    expect(await silent.refused(libraryVersion)).toBe(false);
    expect(asked).toBe(0);
    await redis.client.hset(keys.whatsappVersion, { found: own + 7, foundAt: Date.now() });
    expect(await silent.refused(libraryVersion)).toBe(true);
    expect(await silent.current()).toEqual([major, minor, own + 7]);
  });

  test("a Redis that is gone holds nobody up", async () => {
    const gone = await startRedis();
    const lonely = make({ redis: gone.client });
    await gone.stop();
    expect(await lonely.current()).toEqual(libraryVersion);
    expect(await lonely.refused(libraryVersion)).toBe(false);
  });
});
