import { afterAll, beforeAll, expect, it } from "vitest";
import { loggedIn, request, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";

/** Shards that die or restart again and again under load: no session is lost, no account ever has two owners, every request gets an answer. */
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 3 });
});
afterAll(() => gateway.stop());

const accounts = 24;
const rounds = 6;

it.each(["SIGKILL", "SIGTERM"] as const)(
  `keeps ${accounts} sessions over ${rounds} times %s`,
  async (signal) => {
    await gateway.settled();
    const names = Array.from({ length: accounts }, (_, i) => `crowd-${signal.toLowerCase()}-${i}`);
    const created = await Promise.all(
      names.map(async (account) => {
        const body = JSON.stringify({ platform: "telegram", account, groups: 1, channels: 1, contacts: 1, members: 3 });
        await request(`${gateway.sandbox}/accounts`, { method: "POST", headers: { "content-type": "application/json" }, body });
        return loggedIn(gateway, account);
      }),
    );
    const answers = new Map<string, number>();
    let loading = true;
    const load = async (caller: Caller): Promise<void> => {
      while (loading) {
        const answer = await caller.get("/channel");
        const key = answer.status === 200 ? "200" : `${answer.status} ${(answer.body as { message?: string }).message ?? ""}`;
        answers.set(key, (answers.get(key) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const loads = created.map(load);
    for (let round = 0; round < rounds; round += 1) {
      const shard = `shard-${1 + (round % 3)}`;
      const pid = await gateway.shardPid(shard);
      process.kill(pid, signal);
      await eventually(`${shard} back`, async () => (await gateway.shardPid(shard)) !== pid);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    }
    await eventually("every session connected", async () =>
      (await Promise.all(created.map((caller) => caller.record()))).every(({ isConnected }) => isConnected),
    );
    loading = false;
    await Promise.all(loads);
    process.stdout.write(`answers over ${rounds} times ${signal}: ${JSON.stringify(Object.fromEntries(answers))}\n`);
    // Between two owners the document's own words for it, and nothing else.
    expect([...answers.keys()].filter((key) => !["200", "500 session not found", "500 session not connected"].includes(key))).toEqual([]);
    expect((await request(`${gateway.sandbox}/overlaps`)).body).toEqual({ docs: [] });
    const connections = (
      (await request(`${gateway.sandbox}/connections?platform=telegram`)).body as { docs: { account: string; main: boolean }[] }
    ).docs;
    for (const account of names)
      expect(connections.filter((connection) => connection.account === account && connection.main)).toHaveLength(1);
  },
  180_000,
);
