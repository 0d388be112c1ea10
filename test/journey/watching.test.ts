import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loggedIn, type Caller } from "../harness/api.js";
import { eventually } from "../harness/eventually.js";
import { startGateway, type Gateway } from "../harness/gateway.js";

/** What running processes say on their admin ports, against deploy/metrics.md, which rules and dashboards are checked with (test/unit/deploy/watch). */
const documented = [
  ...readFileSync(resolve(import.meta.dirname, "../../deploy/metrics.md"), "utf8").matchAll(/^\| `(gateway_\w+)` \|/gm),
].map(([, name = ""]) => name);
let gateway: Gateway;
let alice: Caller;
let texts: Record<"router" | "shard" | "supervisor", string>;

beforeAll(async () => {
  gateway = await startGateway({ routers: 1, shards: 1 });
  alice = await loggedIn(gateway, "alice");
  expect((await alice.get("/group")).status).toBe(200);
  const [router = 0, shard = 0] = gateway.adminPorts;
  const scrape = async (port: number): Promise<string> => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await eventually("alice counted as connected", async () =>
    /gateway_shard_sessions\{platform="telegram",state="connected"[^}]*\} 1/.test(await scrape(shard)),
  );
  texts = { router: await scrape(router), shard: await scrape(shard), supervisor: await scrape(shard + 1) };
});
afterAll(() => gateway.stop());

describe.each(["router", "shard", "supervisor"] as const)("a running %s", (role) => {
  it("says exactly what the list of metrics has", () => {
    const said = [...texts[role].matchAll(/^# TYPE (gateway_\w+) /gm)].map(([, name = ""]) => name);
    expect(said.length).toBeGreaterThan(3);
    expect([...said].sort()).toEqual(
      documented.filter((name) => name.startsWith(`gateway_${role}_`) || name.startsWith("gateway_process_")).sort(),
    );
  });

  it("says who it is, and nothing of whom it serves", async () => {
    const { phone, generatedId, name } = await alice.record();
    const series = texts[role].split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(series.filter((line) => !line.includes(`role="${role}"`) || !/member="(router-1|shard-1|supervisor)"/.test(line))).toEqual([]);
    // Without the samples: a sum of seconds may well end in the digits of 5100000000.
    const words = texts[role].replace(/^(?!#)(.*) \S+$/gm, "$1");
    for (const secret of [alice.credentials.id, alice.credentials.sessionId, gateway.adminKey, phone, generatedId, name])
      expect(words).not.toContain(secret);
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

it("tells of a shard's death: the supervisor of its child, the router of its member", async () => {
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
