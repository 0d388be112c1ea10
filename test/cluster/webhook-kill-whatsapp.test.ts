import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, it } from "vitest";
import { isSessionId } from "../../shared/contract/ids.js";
import { slotOf } from "../../shared/contract/slot.js";
import { request, type ApiResponse } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { memberPid, sandboxPid, supervisorPid } from "../harness/member-pid.js";
import { ownerOf } from "../harness/owner-of.js";
import { KeptMessages, pause } from "./kept-messages.js";

/** WhatsApp accounts receive messages at a steady rate while processes die. `WEBHOOK_KILL_SECONDS=120` is the full load. */
const seconds = Number(process.env["WEBHOOK_KILL_SECONDS"] ?? 8);
const isFull = seconds >= 60;
const load = isFull ? { accounts: 20, perSecond: 50, seconds } : { accounts: 6, perSecond: 20, seconds };
const absenceMs = isFull ? 60_000 : 4_000;
const shards = ["shard-1", "shard-2", "shard-3"];
const shardOf = (round: number): string => shards[round % shards.length] ?? "";

let gateway: Gateway;
let kept: KeptMessages;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 3 });
  kept = await KeptMessages.open(gateway, load);
}, 240_000);
afterAll(async () => {
  await gateway.stop();
  await kept.close();
});

async function end(shard: string, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  const pid = await gateway.shardPid(shard);
  process.kill(pid, signal);
  await eventually(`${shard} back`, async () => (await gateway.shardPid(shard)) !== pid);
}

/** Longer than the lease, so that other shards take over. */
async function freeze(shard: string): Promise<void> {
  // The supervisor may just have ended the process.
  const pid = await eventually(`${shard} frozen`, async () => {
    const found = await gateway.shardPid(shard);
    return process.kill(found, "SIGSTOP") && found;
  });
  await pause(6_000);
  try {
    process.kill(pid, "SIGCONT");
  } catch {
    // The supervisor has replaced the frozen process.
  }
}

async function restartRedis(): Promise<void> {
  const client = new Redis({ path: gateway.redisUrl, retryStrategy: () => 100 });
  client.on("error", () => undefined);
  const pid = async (): Promise<number> => Number(/process_id:(\d+)/.exec(await client.info("server"))?.[1]);
  try {
    const before = await pid();
    process.kill(before, "SIGKILL");
    await eventually("another Redis", async () => (await pid()) !== before);
  } finally {
    client.disconnect();
  }
}

/** Moves the sessions of some accounts, with the other sessions of their slots. */
async function moveSome(round: number): Promise<void> {
  for (const caller of kept.callers.filter((_, index) => index % 3 === round % 3)) {
    const { id } = caller.credentials;
    const owner = await eventually("an owner", () => ownerOf(gateway, caller));
    const member = shards.find((shard) => shard !== owner) ?? "";
    await eventually("a move", async () => (await admin("POST", `/sessions/${id}/move`, { member })).status === 200);
    await eventually("moved", async () => (await ownerOf(gateway, caller)) === member);
    // A pin would keep the slots from being shared evenly.
    await admin("DELETE", `/slots/${isSessionId(id) ? slotOf(id) : ""}/pin`);
  }
}

function admin(method: string, path: string, body?: object): Promise<ApiResponse> {
  const headers = { "x-api-key": gateway.adminKey, ...(body !== undefined && { "content-type": "application/json" }) };
  const url = `${new URL(gateway.whatsapp[0] ?? "").origin}/admin${path}`;
  return request(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

async function restartSandbox(): Promise<void> {
  const pid = await eventually("the sandbox", () => sandboxPid(gateway));
  process.kill(pid, "SIGTERM");
  await eventually("another sandbox", () => ![undefined, pid].includes(sandboxPid(gateway)));
  await eventually("its control", async () => (await fetch(`${gateway.sandbox}/overlaps`)).ok);
}

/** Stops all shards. The supervisor, which would start them again at once, is frozen meanwhile. */
async function leave(): Promise<void> {
  const supervisor = await eventually("the supervisor", () => supervisorPid(gateway));
  process.kill(supervisor, "SIGSTOP");
  try {
    for (const shard of shards) process.kill(memberPid(gateway, shard) ?? supervisor, "SIGTERM");
    await eventually("all shards gone", () => shards.every((shard) => memberPid(gateway, shard) === undefined));
    await pause(absenceMs);
  } finally {
    process.kill(supervisor, "SIGCONT");
  }
  await eventually("all shards back", () => shards.every((shard) => memberPid(gateway, shard) !== undefined));
}

describe("messages of WhatsApp accounts are all reported once and in order", () => {
  it("while shards are killed every few seconds", () => kept.survive("killed", (round) => end(shardOf(round), "SIGKILL"), 2_000), 600_000);

  it("while shards freeze and Redis restarts", async () => {
    await gateway.settled();
    await kept.survive("frozen", (round) => (round % 2 === 0 ? freeze(shardOf(round)) : restartRedis()), 1_000);
  }, 600_000);

  it("while shards restart one after the other and sessions move", async () => {
    await gateway.settled();
    await kept.survive("moved", (round) => (round % 2 === 0 ? end(shardOf(round / 2), "SIGTERM") : moveSome(round)), 500);
  }, 600_000);

  it("while the platform restarts", async () => {
    await gateway.settled();
    await kept.survive("platform", restartSandbox, 2_000);
  }, 600_000);

  it("while no shard runs for a while", async () => {
    await gateway.settled();
    await kept.survive("absent", leave, 1_000);
  }, 600_000);
});
