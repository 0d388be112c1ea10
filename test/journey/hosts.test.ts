import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { MemberRow } from "../../router/admin/member-rows.js";
import { slotOf } from "../../shared/contract/slot.js";
import { isSessionId } from "../../shared/contract/ids.js";
import { BobSide } from "../conformance/bob-side.js";
import { whatsappUnderTest } from "../conformance/whatsapp/whatsapp-under-test.js";
import { loggedIn, request, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { ownerOf } from "../harness/owner-of.js";
import { startRedis, type TestRedis } from "../harness/redis.js";

/** Two hosts share one Redis. The second joins while the first is used, dies without notice and returns. */
let redis: TestRedis;
let first: Gateway;
let second: Gateway;
let alice: Caller;
let side: BobSide;
beforeAll(async () => {
  redis = await startRedis();
  // The first host's whole sandbox listens on one address, which the second host uses.
  first = await startGateway({ shards: 1, env: { REDIS_URL: redis.url, HOST_ID: "first", SANDBOX_HOST: "127.0.0.9" } });
  alice = await loggedIn(first, "alice", "whatsapp");
  side = new BobSide(first, whatsappUnderTest);
});
afterAll(async () => {
  await second?.stop();
  await first?.stop();
  await redis?.stop();
});

const originOf = (gateway: Gateway): string => new URL(gateway.whatsapp[0] ?? "").origin;
const membersAt = async (gateway: Gateway): Promise<MemberRow[]> =>
  ((await request(`${originOf(gateway)}/admin/members`, { headers: { "x-api-key": first.adminKey } })).body as { docs: MemberRow[] }).docs;
const joined = (from?: Gateway): Promise<Gateway> =>
  startGateway({ shards: 1, joins: first, env: { REDIS_URL: redis.url, HOST_ID: "second" }, ...(from === undefined ? {} : { from }) });
/** Reads alice's session through the second host. */
const aliceAtSecond = async (): Promise<boolean> => {
  const headers = { id: alice.credentials.id, "session-id": alice.credentials.sessionId };
  const { status, body } = await request(`${second.whatsapp[0] ?? ""}/session`, { headers });
  return status === 200 && (body as { isConnected: boolean }).isConnected;
};

/** Sends without a pause until stopped. Resolves with the status of each text. */
function sending(): { stop: () => Promise<Map<string, number>> } {
  const responses = new Map<string, number>();
  let goesOn = true;
  const run = (async () => {
    const bob = await side.bob();
    for (let n = 0; goesOn; n += 1) {
      const text = `while another host joins ${n}`;
      const { status } = await alice.send("POST", "/message", { ...bob, type: "text", text });
      responses.set(text, status);
    }
  })();
  return {
    stop: async () => {
      goesOn = false;
      await run;
      return responses;
    },
  };
}

it("a second host joins by the Redis and the keys alone, while the first is used", async () => {
  const traffic = sending();
  second = await joined();
  await second.settled();
  const responses = await traffic.stop();
  const names = [
    "first router-1",
    "first shard-1",
    "first supervisor",
    "second second-router-1",
    "second second-shard-1",
    "second second-supervisor",
  ];
  for (const gateway of [first, second])
    expect((await membersAt(gateway)).map(({ host, name }) => `${host} ${name}`).sort()).toEqual(names);
  // Between two owners a session reports that it is not connected. An accepted message arrives once.
  expect([...responses.values()].filter((status) => status !== 200 && status !== 500)).toEqual([]);
  for (const [text, status] of responses) {
    const count = (await side.messages("alice", text)).length;
    expect([text, count]).toEqual([text, status === 200 ? 1 : count === 0 ? 0 : 1]);
  }
  await eventually("alice at the second host's router", aliceAtSecond);
  expect(await side.overlaps()).toEqual([]);
});

it("the second host serves the operators, the console and the sandbox's control as the first does", async () => {
  for (const gateway of [first, second]) {
    const page = await request(`${originOf(gateway)}/console`);
    expect(page.status).toBe(200);
    for (const port of gateway.adminPorts) expect((await request(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  }
  const carol = await loggedIn(second, "carol", "whatsapp");
  expect((await carol.record()).isConnected).toBe(true);
});

it("takes over a host's sessions without a new code after its lease expires", async () => {
  const { phone } = await alice.record();
  const move = { method: "POST", headers: { "x-api-key": first.adminKey, "content-type": "application/json" } };
  const body = JSON.stringify({ member: "second-shard-1" });
  expect((await request(`${originOf(first)}/admin/sessions/${alice.credentials.id}/move`, { ...move, body })).status).toBe(200);
  await eventually(
    "with the second host",
    async () => (await ownerOf(first, alice)) === "second-shard-1" && (await alice.record()).isConnected,
  );
  const before = (await side.holders("alice")).map(({ key }) => key);
  await second.vanish();
  const goneAt = performance.now();
  await eventually("not connected", async () => !(await alice.record()).isConnected);
  const shownMs = performance.now() - goneAt;
  await eventually("back on the first host", async () => (await alice.record()).isConnected, 120_000);
  const backMs = performance.now() - goneAt;
  process.stdout.write(
    `a host gone: shown after ${(shownMs / 1_000).toFixed(1)} s, its session back after ${(backMs / 1_000).toFixed(1)} s\n`,
  );
  expect(await ownerOf(first, alice)).toBe("shard-1");
  expect(await alice.record()).toMatchObject({ isConnected: true, qrcode: "", phone });
  await side.receives(alice, "alice", "after the host has gone");
  expect((await side.holders("alice")).map(({ key }) => key)).toEqual(before);
  expect(await side.overlaps()).toEqual([]);
  expect((await membersAt(first)).find(({ name }) => name === "second-shard-1")).toMatchObject({ state: "dead" });
  // A pinned slot comes on top of a member's share.
  const slot = isSessionId(alice.credentials.id) ? slotOf(alice.credentials.id) : -1;
  const unpin = { method: "DELETE", headers: { "x-api-key": first.adminKey } };
  expect((await request(`${originOf(first)}/admin/slots/${slot}/pin`, unpin)).status).toBe(200);
});

it("it comes back under its names, and has its share again", async () => {
  second = await joined(second);
  await eventually("alice at the second host's router", aliceAtSecond);
  expect((await membersAt(first)).find(({ name }) => name === "second-shard-1")).toMatchObject({ state: "active" });
  expect(await side.overlaps()).toEqual([]);
});

it.each<[string, string[], Record<string, string>, RegExp]>([
  [
    "without --join says how to join",
    [],
    { HOST_ID: "third" },
    /^trunkline: (router|shard)-1 runs on host first already: to add this host to its cluster, start it with npm start -- --join \(deploy\/docs\/hosts\.md\)\n$/,
  ],
  [
    "under a name that a host has already is refused",
    ["--join"],
    { HOST_ID: "second" },
    /^trunkline: HOST_ID second is the name of a host that told of itself within 20 s: give this one another HOST_ID, or start again when that one is gone\n$/,
  ],
  [
    "with other keys of media links is refused",
    ["--join"],
    { HOST_ID: "third", MEDIA_KEYS: `a:${"A".repeat(43)}=` },
    /^trunkline: MEDIA_KEYS has another key a than those of \S+ on host (first|second): give this host the MEDIA_KEYS of its cluster\n$/,
  ],
  [
    "with other keys of logins is refused",
    ["--join"],
    { HOST_ID: "third", CRED_KEYS: `a:${"A".repeat(43)}=` },
    /^trunkline: CRED_KEYS does not open the stored logins \(its key "a" is another than the logins in this Redis are sealed with\): restore the value that they were stored with\n$/,
  ],
  [
    "under another application is refused",
    ["--join"],
    { HOST_ID: "third", TELEGRAM_API_ID: "7" },
    /^trunkline: TELEGRAM_API_ID 7 is not that of \S+ on host (first|second), 12345: give this host the TELEGRAM_API_ID of its cluster\n$/,
  ],
])("a third host %s", async (_, args, env, sentence) => {
  const folder = await mkdtemp(join(tmpdir(), "tl-third-"));
  try {
    await copyFile(join(first.dataDir, "secrets.json"), join(folder, "secrets.json"));
    const supervisor = resolve(import.meta.dirname, "../../dist/deploy/supervisor/main.js");
    const own = {
      DATA_DIR: folder,
      LOG_LEVEL: "silent",
      REDIS_URL: redis.url,
      SHARDS: "1",
      PORT: "1081",
      ADMIN_PORT: "1091",
      SANDBOX_PORT: "1101",
    };
    const child = spawn(process.execPath, [supervisor, ...args], {
      env: { PATH: process.env["PATH"], ...own, ...env },
      stdio: ["ignore", "ignore", "pipe"],
      // The time-out ends a supervisor that starts by mistake.
      timeout: 60_000,
    });
    const [complaint] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect(complaint).toMatch(sentence);
    expect(child.exitCode).toBe(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
