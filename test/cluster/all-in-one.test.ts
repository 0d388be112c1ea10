import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Caller, loggedIn, request, type ApiResponse } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { supervisorPid } from "../harness/member-pid.js";
import { monitorRedis } from "../harness/monitor-redis.js";
import { NumberedLoad } from "../harness/numbered-load.js";
import { ownerOf } from "../harness/owner-of.js";
import { startRedis, type TestRedis } from "../harness/redis.js";
import { TelegramSide } from "../harness/telegram-side.js";

/** Two hosts, each of which runs router and shard in one process as `npm start` does, are one cluster. */
let redis: TestRedis;
let hosts: Record<Member, Gateway>;
let side: TelegramSide;
let bob: string;
beforeAll(async () => {
  redis = await startRedis();
  const env = { REDIS_URL: redis.url };
  const first = await startGateway({ allInOne: true, env: { ...env, HOST_ID: "first", SANDBOX_HOST: "127.0.0.9" } });
  const second = await startGateway({ allInOne: true, joins: first, env: { ...env, HOST_ID: "second" } });
  hosts = { "shard-1": first, "second-shard-1": second };
  side = new TelegramSide(first);
  bob = await side.phoneOf("bob");
});
afterAll(async () => {
  await hosts["second-shard-1"].stop();
  await hosts["shard-1"].stop();
  await redis.stop();
});

/** The only shard of each host. */
type Member = "shard-1" | "second-shard-1";
const members: readonly Member[] = ["shard-1", "second-shard-1"];
const isMember = (name: string): name is Member => members.some((member) => member === name);
const other = (member: Member): Member => (member === "shard-1" ? "second-shard-1" : "shard-1");

let alice: Caller;
beforeEach(async () => {
  await eventually("both processes ready", async () => (await Promise.all(adminPorts().map(isReady))).every(Boolean));
  await side.clearFaults();
  alice ??= await loggedIn(hosts["shard-1"], "alice");
  await eventually("connected", async () => (await at(await ownerNow()).get("/group")).status === 200);
});

const adminPorts = (): number[] => members.flatMap((member) => [...hosts[member].adminPorts]);
const isReady = async (port: number): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true;

/** Alice through the router of a member's process. */
const at = (member: Member): Caller => new Caller(hosts[member], alice.credentials);
const ownerNow = (): Promise<Member> =>
  eventually("an owner", async () => {
    const owner = await ownerOf(hosts["shard-1"], alice);
    return isMember(owner) && owner;
  });
const send = (member: Member, text: string, key = randomUUID()): Promise<ApiResponse> =>
  at(member).send("POST", "/message", { phone: bob, type: "text", text }, { "idempotency-key": key });
const arrived = async (text: string): Promise<number> =>
  (await side.received("alice", "message")).filter((row) => row.text === text).length;
/** Resolves when the process of a member has ended and its next one takes requests. */
async function end(member: Member, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  const pid = await hosts[member].shardPid(member);
  process.kill(pid, signal);
  await eventually(`${member} back`, async () => (await hosts[member].shardPid(member)) !== pid);
  const address = `${hosts[member].telegram[0] ?? ""}/session`;
  await eventually(`${member} ready`, async () => (await fetch(address).catch(() => undefined))?.status === 400);
}
async function move(to: Member): Promise<void> {
  const { adminKey, telegram } = hosts["shard-1"];
  const headers = { "x-api-key": adminKey, "content-type": "application/json" };
  const address = `${new URL(telegram[0] ?? "").origin}/admin/sessions/${alice.credentials.id}/move`;
  await eventually(
    "a move",
    async () => (await request(address, { method: "POST", headers, body: JSON.stringify({ member: to }) })).status === 200,
  );
  await eventually("the other owner", async () => (await ownerNow()) === to);
}

it("sends a command to its own shard without a stream, to another one through its stream, and draws nothing at rest", async () => {
  const owner = await ownerNow();
  const streams: string[] = [];
  const stop = await monitorRedis(redis.url, ([command = "", key = ""]) => {
    if (command.toUpperCase() === "XADD" && /^(commands|replies):/.test(key)) streams.push(key.split(":", 1)[0] ?? "");
  });
  expect((await send(owner, "in memory")).status).toBe(200);
  expect(streams).toEqual([]);
  expect((await send(other(owner), "through Redis")).status).toBe(200);
  await eventually("both streams", () => streams.length >= 2);
  stop();
  expect(new Set(streams)).toEqual(new Set(["commands", "replies"]));
  expect(renderProcesses()).toEqual([]);
});

it("kill -9 with a message in flight: a repeat under its key through the other process sends it once", async () => {
  const owner = await ownerNow();
  const [text, key] = [`killed ${randomUUID()}`, randomUUID()];
  const before = await side.calls("messages.sendMessage");
  await side.fault({ account: "alice", kind: "delay", method: "messages.sendMessage", seconds: 60 });
  const first = send(owner, text, key).then(
    () => "answered",
    () => "cut off",
  );
  await eventually("at the platform", async () => (await side.calls("messages.sendMessage")) > before);
  process.kill(await hosts[owner].shardPid(owner), "SIGKILL");
  expect(await first).toBe("cut off");
  await side.clearFaults();
  const repeat = await eventually("the answer", async () => {
    const response = await send(other(owner), text, key);
    return response.status === 200 && response;
  });
  expect((await send(other(owner), text, key)).body).toEqual(repeat.body);
  expect(await arrived(text)).toBe(1);
  expect(await side.docs("/overlaps")).toEqual([]);
});

it("keeps the order of a session's messages while it moves to the other process and back", async () => {
  const from = await ownerNow();
  const load = new NumberedLoad(hosts[from].telegram[0] ?? "", alice, bob);
  load.start();
  await load.further(10);
  await move(other(from));
  await load.further(20);
  await move(from);
  await load.further(20);
  const sent = await load.stop();
  const texts = (await side.received("alice", "message")).map(({ text }) => text);
  expect(sent.length).toBeGreaterThan(50);
  expect(texts.filter((text) => sent.includes(text))).toEqual(sent);
});

it("SIGTERM: requests in progress get their responses, and the session goes on in the other process", async () => {
  const owner = await ownerNow();
  const texts = Array.from({ length: 10 }, (_, n) => `before the end ${n}`);
  await side.fault({ account: "alice", kind: "delay", method: "messages.sendMessage", seconds: 1, times: 2 });
  const before = await side.calls("messages.sendMessage");
  const responses = texts.map((text) => send(owner, text));
  await eventually("at the platform", async () => (await side.calls("messages.sendMessage")) > before);
  const ending = end(owner, "SIGTERM");
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(texts.map(() => 200));
  await eventually("groups in the other process", async () => (await at(other(owner)).get("/group")).status === 200);
  await ending;
  for (const text of texts) expect(await arrived(text)).toBe(1);
  expect(await side.docs("/overlaps")).toEqual([]);
});

it("a frozen process loses its sessions, and brings a request that it finds when it goes on to their new owner", async () => {
  const owner = await ownerNow();
  const text = `frozen ${randomUUID()}`;
  // Their supervisor would end a frozen process.
  const frozen = [supervisorPid(hosts[owner]) ?? 0, await hosts[owner].shardPid(owner)];
  for (const pid of frozen) process.kill(pid, "SIGSTOP");
  const first = send(owner, text);
  await eventually("groups in the other process", async () => (await at(other(owner)).get("/group")).status === 200);
  for (const pid of frozen.reverse()) process.kill(pid, "SIGCONT");
  expect((await first).status).toBe(200);
  expect(await arrived(text)).toBe(1);
  expect(await side.docs("/overlaps")).toEqual([]);
});

it("a message without a key that had begun in a process before it froze goes out once, through the session's new owner", async () => {
  const owner = await ownerNow();
  const text = `begun ${randomUUID()}`;
  const before = await side.calls("messages.sendMessage");
  await side.fault({ account: "alice", kind: "delay", method: "messages.sendMessage", seconds: 600, times: 1 });
  const first = at(owner).send("POST", "/message", { phone: bob, type: "text", text });
  await eventually("at the platform", async () => (await side.calls("messages.sendMessage")) > before);
  const frozen = [supervisorPid(hosts[owner]) ?? 0, await hosts[owner].shardPid(owner)];
  for (const pid of frozen) process.kill(pid, "SIGSTOP");
  await eventually("groups in the other process", async () => (await at(other(owner)).get("/group")).status === 200);
  for (const pid of frozen.reverse()) process.kill(pid, "SIGCONT");
  expect((await first).status).toBe(200);
  expect(await arrived(text)).toBe(1);
  expect(await side.docs("/overlaps")).toEqual([]);
});

/** Returns the render processes of both hosts. */
function renderProcesses(): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      const folders = members.map((member) => hosts[member].dataDir);
      const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
      return (
        folders.some((folder) => environment.includes(folder)) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("render-process")
      );
    } catch {
      return false; // The process has ended or belongs to another user.
    }
  });
}
