import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Platform } from "../../shared/contract/platform.js";
import { keys } from "../../shared/redis/keys.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { createSession, request, type ApiResponse, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { proxyAddress, TestProxy } from "../harness/test-proxy.js";
import { BobSide } from "./bob-side.js";
import { eachPlatform } from "./platforms-under-test.js";

/** Sessions behind proxies on every platform: all traffic goes through the proxy, and a change of the proxy loses nothing. */
const login = { user: "ann", password: "c0rrect-h0rse" };
/** Longer than a session would take to reconnect if it did not wait. */
const lingerMs = 1_000;
const otherAddress = "127.0.0.19";
const kinds = ["socks5", "http"] as const;
let cluster: TestCluster;
let proxies: Record<(typeof kinds)[number] | "slow" | "other" | "mute" | "notAllowed", TestProxy>;
beforeAll(async () => {
  proxies = {
    socks5: await TestProxy.start({ kind: "socks5", login }),
    http: await TestProxy.start({ kind: "http", login }),
    slow: await TestProxy.start({ kind: "socks5", login, lingerMs }),
    other: await TestProxy.start({ kind: "http", login, from: otherAddress }),
    mute: await TestProxy.start({ kind: "socks5", mute: true }),
    notAllowed: await TestProxy.start({ kind: "http" }),
  };
  const { notAllowed: _, ...allowed } = proxies;
  const allow = Object.values(allowed).map(({ host }) => host);
  cluster = await startCluster({ env: { PROXY_ALLOW: allow.join(",") } });
}, 120_000);
afterAll(async () => {
  await cluster.stop();
  for (const proxy of Object.values(proxies)) await proxy.stop();
});

interface ProxySource {
  readonly of: string;
  readonly address: string;
}

const idOf = ({ credentials }: Caller): string => credentials.id;
const shown = ({ url }: TestProxy): string => url.replace(/:\/\/.*@/, "://***@");
const admin = (method: string, path: string, body?: object): Promise<ApiResponse> =>
  request(`${new URL(cluster.telegram[0] ?? "").origin}/admin${path}`, {
    method,
    headers: { "x-api-key": cluster.adminKey, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const setProxy = (caller: Caller, proxy: string): Promise<ApiResponse> => admin("PUT", `/sessions/${idOf(caller)}/proxy`, { proxy });
const row = async (caller: Caller): Promise<{ state: string; lastError: string; proxy: ProxySource }> =>
  (await admin("GET", `/sessions/${idOf(caller)}`)).body as { state: string; lastError: string; proxy: ProxySource };
const isIn = (caller: Caller): Promise<true> => eventually("connected", async () => (await caller.record()).isConnected, 90_000);

async function loggedInBy(platform: Platform, account: string, proxy?: TestProxy): Promise<Caller> {
  const caller = await createSession(cluster, platform, proxy === undefined ? undefined : { proxy: proxy.url });
  expect(await caller.scan(account)).toMatchObject({ status: 200 });
  await isIn(caller);
  return caller;
}

/** Requires that the session is disconnected because of its proxy. */
async function fails(caller: Caller, why: string): Promise<void> {
  await eventually(`"${why}" is told`, async () => (await row(caller)).lastError === why, 30_000);
  expect((await caller.record()).isConnected).toBe(false);
}

const proxyless = async (): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${cluster.adminPorts[1]}/metrics`)).text();
  return Number(/^gateway_shard_sessions_proxyless_sessions\S* (\d+)/m.exec(text)?.[1]);
};

describe.each(eachPlatform)("$platform", (underTest) => {
  const { platform } = underTest;
  let side: BobSide;
  beforeAll(() => {
    side = new BobSide(cluster, underTest);
  });
  const addresses = async (account: string): Promise<unknown[]> => (await side.holders(account)).map((one) => one["remoteAddress"]);

  it.each(kinds)("all goes through a proxy that speaks %s; one that dies is waited for, and nothing goes around it", async (kind) => {
    const caller = await loggedInBy(platform, "alice", proxies[kind]);
    expect(await addresses("alice")).toEqual([proxyAddress]);
    await side.receives(caller, "alice", `through ${kind}`);
    const { port } = proxies[kind];
    await proxies[kind].stop();
    await fails(caller, "the proxy cannot be reached (ECONNREFUSED)");
    expect([await addresses("alice"), await proxyless()]).toEqual([[], 1]);
    proxies[kind] = await TestProxy.start({ kind, login }, port);
    await isIn(caller);
    expect([await addresses("alice"), await proxyless()]).toEqual([[proxyAddress], 0]);
    await caller.send("DELETE", "/session");
  });

  it.concurrent.each<[string, () => string, string]>([
    ["refuses the login", () => proxies.socks5.url.replace(login.password, "wr0ng"), "the proxy refuses the login"],
    ["refuses the login of HTTP", () => proxies.http.url.replace(login.password, "wr0ng"), "the proxy refuses the login"],
    ["says nothing", () => proxies.mute.url, "the proxy does not answer"],
    ["is not public", () => proxies.notAllowed.url, "the proxy's address is not allowed"],
    ["is not public, in other words", () => `socks5://0x7f.1:${proxies.notAllowed.port}`, "the proxy's address is not allowed"],
    ["is the cloud's own", () => "http://169.254.169.254:80", "the proxy's address is not allowed"],
  ])("a proxy that %s is told of, and nothing goes around it", async (_, url, why) => {
    const caller = await createSession(cluster, platform, { proxy: url() });
    await fails(caller, why);
    expect([(await caller.record()).qrcode, proxies.notAllowed.targets]).toEqual(["", []]);
    await caller.send("DELETE", "/session");
  });

  it("changes its proxy under load: every call completes, every text arrives once, and one login never uses two proxies", async () => {
    const caller = await loggedInBy(platform, "alice", proxies.slow);
    const logins = async (): Promise<unknown[]> => (await side.holders("alice")).map(({ key }) => key);
    const before = await logins();
    const { phone } = await caller.record();
    const to = await side.bob();
    const sent: { text: string; answer: ApiResponse }[] = [];
    const reads: number[] = [];
    let loading = true;
    const sending = (async () => {
      for (let n = 0; loading; n += 1) {
        const text = `on the way ${n}`;
        sent.push({ text, answer: await caller.send("POST", "/message", { ...to, type: "text", text }) });
      }
    })();
    const reading = (async () => {
      while (loading) reads.push((await caller.get("/group")).status);
    })();
    await eventually("some sent", () => sent.length >= 2 && reads.length >= 2);
    // Takes each route once more: away from a proxy that closes slowly, directly, and through that proxy again.
    for (const [proxy, address, source] of [
      [proxies.other.url, otherAddress, { of: "session", address: shown(proxies.other) }],
      ["", "127.0.0.1", { of: "none", address: "" }],
      [proxies.slow.url, proxyAddress, { of: "session", address: shown(proxies.slow) }],
      [proxies.other.url, otherAddress, { of: "session", address: shown(proxies.other) }],
    ] as const) {
      const response = proxy === "" ? await admin("DELETE", `/sessions/${idOf(caller)}/proxy`) : await setProxy(caller, proxy);
      expect(response).toMatchObject({ status: 200, body: { id: idOf(caller), proxy: source } });
      expect((await row(caller)).proxy).toEqual(source);
      await eventually("there the other way", async () => (await addresses("alice")).join() === address, 60_000);
      const further = sent.length;
      await eventually("another one sent", () => sent.length > further);
    }
    loading = false;
    await Promise.all([sending, reading]);
    expect([sent.filter(({ answer: response }) => response.status !== 200), reads.filter((status) => status !== 200)]).toEqual([[], []]);
    const rows = await side.received("alice", "message");
    for (const { text, answer: response } of sent)
      expect([text, rows.filter((one) => one.text === text).map(({ id }) => id)]).toEqual([
        text,
        [(response.body as { messageId: string }).messageId],
      ]);
    expect(rows.flatMap(({ failures = [] }) => failures)).toEqual([]);
    expect([await logins(), await side.overlaps(), proxies.slow.open]).toEqual([before, [], 0]);
    expect(await caller.record()).toMatchObject({ isConnected: true, qrcode: "", phone });
    // Setting the same proxy again changes nothing.
    const { since } = (await row(caller)) as unknown as { since: string };
    expect((await setProxy(caller, proxies.other.url)).status).toBe(200);
    expect(await row(caller)).toMatchObject({ since, state: "connected" });
    const sealed = await cluster.redis.client.hgetBuffer(keys.session(idOf(caller) as SessionId), "proxy");
    expect(sealed?.includes(login.password)).toBe(false);
    await caller.send("DELETE", "/session");
  }, 180_000);

  it("is on record, without the login", async () => {
    const caller = await createSession(cluster, platform);
    await setProxy(caller, proxies.socks5.url);
    await setProxy(caller, "ftp://proxy.example.com:21");
    await admin("DELETE", `/sessions/${idOf(caller)}/proxy`);
    const rows = await eventually("three rows", async () => {
      const { body } = await admin("GET", `/audit?session=${idOf(caller)}&limit=1000`);
      const { docs } = body as { docs: { what: string; status: number }[] };
      const entries = docs.filter(({ what }) => what.endsWith("-proxy"));
      return entries.length === 3 && entries;
    });
    expect(rows.map(({ what, status }) => [what, status])).toEqual([
      ["set-proxy", 200],
      ["set-proxy", 400],
      ["remove-proxy", 200],
    ]);
    expect(JSON.stringify(rows)).not.toContain(login.password);
    await caller.send("DELETE", "/session");
  });
});
