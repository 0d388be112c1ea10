import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../shared/log/logger.js";
import { connectRedis } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { loggedIn, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { WhatsAppSide } from "../harness/whatsapp-side.js";

/** Compares the metrics of one host and one shard with deploy/docs/metrics.md. Then checks what is left of a shard that dies or freezes. */
const documented = [
  ...readFileSync(resolve(import.meta.dirname, "../../deploy/docs/metrics.md"), "utf8").matchAll(/^\| `(gateway_\w+)` \|/gm),
].map(([, name = ""]) => name);
let gateway: Gateway;
/** A separate folder for temporary files, because other tests leave files of the same kind in the system's folder. */
let systemTemp: string;
let alice: Caller;
let texts: Record<"router" | "shard" | "supervisor", string>;

beforeAll(async () => {
  systemTemp = await mkdtemp(join(tmpdir(), "tl-temp-"));
  gateway = await startGateway({ routers: 1, shards: 1, env: { TMPDIR: systemTemp } });
  alice = await loggedIn(gateway, "alice");
  expect((await alice.get("/group")).status).toBe(200);
  const [router = 0, shard = 0] = gateway.adminPorts;
  const scrape = async (port: number): Promise<string> => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await eventually("alice counted as connected", async () =>
    /gateway_shard_sessions\{platform="telegram",state="connected"[^}]*\} 1/.test(await scrape(shard)),
  );
  texts = { router: await scrape(router), shard: await scrape(shard), supervisor: await scrape(shard + 1) };
});
afterAll(async () => {
  await gateway.stop();
  await rm(systemTemp, { recursive: true, force: true });
});

describe.each(["router", "shard", "supervisor"] as const)("a running %s", (role) => {
  it("says exactly what the list of metrics has", () => {
    const said = [...texts[role].matchAll(/^# TYPE (gateway_\w+) /gm)].map(([, name = ""]) => name);
    expect(said.length).toBeGreaterThan(3);
    expect([...said].sort()).toEqual(
      documented.filter((name) => name.startsWith(`gateway_${role}_`) || name.startsWith("gateway_process_")).sort(),
    );
  });

  it("shows its identity, and nothing about its tenants", async () => {
    const { phone, generatedId, name } = await alice.record();
    const series = texts[role].split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(series.filter((line) => !line.includes(`role="${role}"`) || !/member="(router-1|shard-1|supervisor)"/.test(line))).toEqual([]);
    // Removes the sample values, because a sum of seconds may end in the digits of the phone number.
    const text = texts[role].replace(/^(?!#)(.*) \S+$/gm, "$1");
    for (const secret of [alice.credentials.id, alice.credentials.sessionId, gateway.adminKey, phone, generatedId, name])
      expect(text).not.toContain(secret);
    const values = [...texts[role].matchAll(/="([^"]*)"/g)].map(([, value = ""]) => value);
    expect(values.filter((value) => /[0-9a-f]{16}|\d{6}|@|:\/\//.test(value))).toEqual([]);
  });
});

it("shows an operator what is there: shards, slots, Redis, children", () => {
  expect(texts.router).toMatch(/gateway_router_members_shards\{state="active"[^}]*\} 1/);
  expect(texts.router).toMatch(/gateway_router_redis_up\{server="coordination"[^}]*\} 1/);
  expect(texts.router).toMatch(/gateway_router_redis_memory_limit_bytes\{server="cache"[^}]*\} 536870912/);
  expect(texts.shard).toMatch(/gateway_shard_slots_owned_slots\{[^}]*\} 4096/);
  for (const child of ["sandbox", "router-1", "shard-1"])
    expect(texts.supervisor).toMatch(new RegExp(`gateway_supervisor_children_up\\{child="${child}"[^}]*\\} 1`));
});

it("shows a shard's death: the supervisor its child, the router its member", async () => {
  const [router = 0, shard = 0] = gateway.adminPorts;
  const read = async (port: number): Promise<string> => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  process.kill(await gateway.shardPid("shard-1"), "SIGKILL");
  await eventually("death at the supervisor", async () =>
    /gateway_supervisor_child_ends_total\{child="shard-1",end="killed"[^}]*\} 1/.test(await read(shard + 1)),
  );
  await eventually("death at the router", async () =>
    /gateway_router_member_deaths_total\{cause="reaped"[^}]*\} 1/.test(await read(router)),
  );
  await eventually("the next life", async () => /gateway_shard_slots_owned_slots\{[^}]*\} 4096/.test(await read(shard)));
});

/** Returns the library's temporary files of encrypted media. */
async function mediaIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith("-enc"));
}

it("the media that a killed shard was uploading does not stay on the disk", async () => {
  const side = new WhatsAppSide(gateway);
  const caller = await loggedIn(gateway, "alice", "whatsapp");
  const temp = join(gateway.dataDir, "temp");
  await side.post("/faults", { kind: "stall", account: "alice", method: "upload", times: 1 });
  const sending = caller.send("POST", "/message", {
    phone: "6281155501002",
    type: "image",
    image: { url: side.fileUrl("photo.jpg"), mimetype: "image/jpeg" },
  });
  await eventually("the upload is under way", async () => (await mediaIn(temp)).length > 0);
  expect(await mediaIn(systemTemp)).toEqual([]);
  const pid = await gateway.shardPid("shard-1");
  process.kill(pid, "SIGKILL");
  // The dead shard may have stopped before the request that stalls.
  await side.clearFaults();
  await eventually("the next shard", async () => (await gateway.shardPid("shard-1")) !== pid);
  // The next process takes up the command again, and deletes its file after the upload.
  expect((await sending).status).toBe(200);
  await eventually("an empty folder", async () => (await mediaIn(temp)).length === 0);
});

it("a host that is gone from one moment to the next, with nobody left to say so, does not show its accounts as connected for as long as its lease lasts", async () => {
  await eventually("connected", async () => (await alice.record()).isConnected);
  const redis = await connectRedis(join(gateway.dataDir, "redis", "redis.sock"), "writer", silentLog);
  const shard = await gateway.shardPid("shard-1");
  const supervisor = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${shard}/status`, "utf8"))?.[1]);
  const incarnation = await redis.hget(keys.member("shard-1"), "inc");
  for (const pid of [supervisor, shard]) process.kill(pid, "SIGSTOP");
  try {
    const state = await eventually("not connected", async () => {
      const [{ isConnected }, member] = await Promise.all([alice.record(), redis.hmget(keys.member("shard-1"), "inc", "st")]);
      return isConnected ? undefined : member;
    });
    // No member has buried the shard yet. Only its silence is known.
    expect(state).toEqual([incarnation, "active"]);
  } finally {
    for (const pid of [shard, supervisor]) process.kill(pid, "SIGCONT");
    redis.disconnect();
  }
  await eventually("connected again", async () => (await alice.record()).isConnected);
});
