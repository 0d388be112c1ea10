import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EnvReader } from "../../shared/config/env.js";
import { readRedisSettings } from "../../shared/redis/settings.js";
import { silentLog, type Log } from "../../shared/log/logger.js";
import { requireRightServers } from "../../shared/redis/check-servers.js";
import { connectRedis } from "../../shared/redis/connect.js";
import { keys } from "../../shared/redis/keys.js";
import { makeCertificates, type Certificates } from "../harness/certificates.js";
import { claimPorts, type ClaimedPorts } from "../harness/claimed-ports.js";
import { startRedisNode, type RedisNode } from "../harness/redis-node.js";

/** Wrong Redis settings are reported in one sentence, against real servers of each kind. */
let folder: string;
let ports: ClaimedPorts;
let certificates: Certificates;
let nodes: RedisNode[] = [];
const port = { plain: 0, replica: 1, sentinel: 2, node: 3, tls: 4, locked: 5, evicting: 6, filed: 7, nobody: 8 };
const client = (name: keyof typeof port): RedisNode["client"] => {
  const node = nodes.find((one) => one.port === ports.first + port[name]);
  if (node === undefined) throw new Error(`no node ${name}`);
  return node.client;
};
const at = (name: keyof typeof port): string => `127.0.0.1:${ports.first + port[name]}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tl-refused-"));
  certificates = makeCertificates(folder);
  ports = await claimPorts();
  const { ca, caFile, server, client } = certificates;
  const numbered = (name: keyof typeof port): { port: number } => ({ port: ports.first + port[name] });
  const plain = await startRedisNode({ ...numbered("plain"), config: ["repl-diskless-sync-delay 0"] });
  nodes = [
    plain,
    ...(await Promise.all([
      startRedisNode({ ...numbered("replica"), config: [`replicaof 127.0.0.1 ${plain.port}`] }),
      startRedisNode({ ...numbered("sentinel"), config: [`sentinel monitor logins 127.0.0.1 ${plain.port} 1`], isSentinel: true }),
      startRedisNode({ ...numbered("node"), config: ["cluster-enabled yes", `cluster-port ${ports.first + 20}`] }),
      startRedisNode({
        ...numbered("tls"),
        config: [
          `tls-ca-cert-file ${caFile}`,
          `tls-cert-file ${server.certFile}`,
          `tls-key-file ${server.keyFile}`,
          "tls-auth-clients yes",
        ],
        client: { tls: { ca, cert: client.cert, key: client.key } },
      }),
      startRedisNode({ ...numbered("locked"), config: ["user default on >right ~* &* +@all"], client: { password: "right" } }),
      startRedisNode({ ...numbered("evicting"), config: ["maxmemory 100mb", "maxmemory-policy allkeys-lru"] }),
      startRedisNode({ ...numbered("filed"), config: ["appendonly yes"] }),
    ])),
  ];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  ports.release();
  rmSync(folder, { recursive: true });
});

/** Opens both Redis like a process at its start, and returns the error. */
async function start(environment: Record<string, string>, log: Log = silentLog): Promise<string> {
  const env = new EnvReader(environment);
  const settings = readRedisSettings(env);
  env.finish();
  const opened = [];
  try {
    for (const server of ["coordination", "cache"] as const) {
      const address = settings[server];
      opened.push({ server, address, redis: await connectRedis(address, "writer", silentLog) });
    }
    await requireRightServers(opened, log);
    return "nothing";
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } finally {
    for (const { redis } of opened) redis.disconnect();
  }
}

const withTls = (): Record<string, string> => ({
  REDIS_TLS_CA: certificates.ca,
  REDIS_TLS_CERT: certificates.client.cert,
  REDIS_TLS_KEY: certificates.client.key,
});

describe("a process starts", () => {
  it.each<[string, () => Record<string, string>]>([
    ["on one server", () => ({ REDIS_URL: `redis://${at("plain")}` })],
    ["on a master that Sentinels name", () => ({ REDIS_URL: `redis+sentinel://${at("sentinel")}/logins` })],
    ["with the right password", () => ({ REDIS_URL: `redis://${at("locked")}`, REDIS_PASSWORD: "right" })],
    ["with TLS on both sides", () => ({ REDIS_URL: `rediss://${at("tls")}`, ...withTls() })],
    ["with a cache that evicts", () => ({ REDIS_URL: `redis://${at("filed")}`, REDIS_CACHE_URL: `redis://${at("evicting")}` })],
  ])("%s", async (_, environment) => {
    expect(await start(environment())).toBe("nothing");
  });

  it("and says that Redis writes no file", async () => {
    const warned: unknown[] = [];
    const log = { ...silentLog, warn: (fields: unknown) => void warned.push(fields) } as Log;
    await start({ REDIS_URL: `redis://${at("plain")}` }, log);
    await start({ REDIS_URL: `redis://${at("filed")}` }, log);
    const reason = "REDIS_URL names a Redis without an append-only file: its next restart loses all logins; set appendonly yes";
    expect(warned).toEqual([{ reason }]);
  });
});

describe("a process refuses", () => {
  it.each<[string, () => Record<string, string>, string]>([
    [
      "a Sentinel as a server",
      () => ({ REDIS_URL: `redis://${at("sentinel")}` }),
      "names a Sentinel: write redis+sentinel://host:port,host:port/name",
    ],
    [
      "a node of a cluster as a server",
      () => ({ REDIS_URL: `redis://${at("node")}` }),
      "names a node of a Redis Cluster: write redis+cluster://host:port,host:port",
    ],
    [
      "a server as a cluster",
      () => ({ REDIS_URL: `redis+cluster://${at("plain")}` }),
      "names no node of a Redis Cluster: write redis://host:port",
    ],
    [
      "a Sentinel as a cluster",
      () => ({ REDIS_URL: `redis+cluster://${at("sentinel")}` }),
      "names no node of a Redis Cluster: write redis://host:port",
    ],
    [
      "a server as a Sentinel",
      () => ({ REDIS_URL: `redis+sentinel://${at("plain")}/logins` }),
      "names no Sentinel: write redis://host:port",
    ],
    [
      "a name that the Sentinels do not know",
      () => ({ REDIS_URL: `redis+sentinel://${at("sentinel")}/logouts` }),
      "ends with a name that no Sentinel there has for a master",
    ],
    [
      "a wrong password",
      () => ({ REDIS_URL: `redis://${at("locked")}`, REDIS_PASSWORD: "wrong" }),
      "has a user or password that Redis does not take",
    ],
    ["a database that is not there", () => ({ REDIS_URL: `redis://${at("plain")}/99` }), "names a database that this Redis does not have"],
    ["a wrong user", () => ({ REDIS_URL: `redis://nobody:right@${at("locked")}` }), "has a user or password that Redis does not take"],
    ["no password", () => ({ REDIS_URL: `redis://${at("locked")}` }), "has no password, and Redis wants one"],
    [
      "TLS where there is none",
      () => ({ REDIS_URL: `rediss://${at("plain")}` }),
      "wants TLS of a server that speaks none there: write redis:// instead of rediss://, or its TLS port",
    ],
    [
      "none where there is TLS",
      () => ({ REDIS_URL: `redis://${at("tls")}` }),
      "names a port that speaks TLS: write rediss:// instead of redis://",
    ],
    [
      "a server that a stranger has signed",
      () => ({ REDIS_URL: `rediss://${at("tls")}`, REDIS_TLS_CERT: certificates.client.cert, REDIS_TLS_KEY: certificates.client.key }),
      "names a server whose certificate is signed by nobody whom we trust: name who signed it with REDIS_TLS_CA_FILE",
    ],
    [
      "to come without a certificate",
      () => ({ REDIS_URL: `rediss://${at("tls")}`, REDIS_TLS_CA: certificates.ca }),
      "wants our certificate: set REDIS_TLS_CERT and REDIS_TLS_KEY",
    ],
    [
      "to come with a stranger's",
      () => ({
        REDIS_URL: `rediss://${at("tls")}`,
        REDIS_TLS_CA: certificates.ca,
        REDIS_TLS_CERT: certificates.unrelated.cert,
        REDIS_TLS_KEY: certificates.unrelated.key,
      }),
      "does not take our certificate: REDIS_TLS_CERT is signed by nobody whom it trusts",
    ],
    [
      "to keep logins where they are evicted",
      () => ({ REDIS_URL: `redis://${at("evicting")}`, REDIS_CACHE_URL: `redis://${at("plain")}` }),
      "names a Redis that removes logins when it is full: give it maxmemory-policy noeviction instead of allkeys-lru, or look whether REDIS_URL and REDIS_CACHE_URL have changed places",
    ],
  ])("%s", async (_, environment, sentence) => {
    expect(await start(environment())).toBe(`ConfigError: REDIS_URL ${sentence}`);
  });

  // Client and server both wait for the other. The library times out after 5 s.
  it.each([
    ["TLS where there is none", "rediss", "plain"],
    ["none where there is TLS", "redis", "tls"],
    ["TLS of Sentinels that speak none", "rediss+sentinel", "sentinel"],
    ["TLS of a cluster that speaks none", "rediss+cluster", "node"],
  ] as const)("%s, before its tries are over", async (_, scheme, server) => {
    const startedAt = performance.now();
    const told = await start({ REDIS_URL: `${scheme}://${at(server)}${scheme.endsWith("sentinel") ? "/logins" : ""}` });
    expect(told).toMatch(/^ConfigError: REDIS_URL (wants TLS of a server that speaks none|names a port that speaks TLS)/);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

  it("a cache of the wrong kind under its own name", async () => {
    const environment = { REDIS_URL: `redis://${at("plain")}`, REDIS_CACHE_URL: `redis://${at("node")}` };
    expect(await start(environment)).toBe(
      "ConfigError: REDIS_CACHE_URL names a node of a Redis Cluster: write redis+cluster://host:port,host:port",
    );
  });

  it("the cache of another cluster", async () => {
    const cache = { REDIS_CACHE_URL: `redis://${at("evicting")}` };
    expect(await start({ REDIS_URL: `redis://${at("filed")}`, ...cache })).toBe("nothing");
    await client("plain").set(keys.clusterId, "another");
    expect(await start({ REDIS_URL: `redis://${at("plain")}`, ...cache })).toBe(
      "ConfigError: REDIS_CACHE_URL names the cache of another cluster: give this one a cache of its own, or take over that one, when its cluster is gone, with DEL cache-of",
    );
  });

  it("a cache whose cluster's logins are gone, but may try again: they may be restored", async () => {
    await client("evicting").set(keys.cacheOf, "emptied");
    await client("plain").del(keys.clusterId);
    const told = await start({ REDIS_URL: `redis://${at("plain")}`, REDIS_CACHE_URL: `redis://${at("evicting")}` });
    expect(told).toBe(
      "Error: REDIS_CACHE_URL names the cache of a cluster whose logins the other Redis does not hold: if that has lost what it held, restore a backup (npx trunkline restore); if this is another cluster, give it a cache of its own; to begin without logins, or take over that cache, DEL cache-of there",
    );
    expect(await client("plain").exists(keys.clusterId)).toBe(0);
  });

  it.each<[string, () => string, string]>([
    [
      "a replica",
      () => `redis://${at("replica")}`,
      "REDIS_URL names a replica, which takes no writes: name its master, or the Sentinels that know who is (redis+sentinel://host:port/name)",
    ],
    ["nobody", () => `redis://${at("nobody")}`, "redis does not answer at "],
    [
      "a cluster without hash slots",
      () => `redis+cluster://${at("node")}`,
      "REDIS_URL names a cluster whose hash slots are not all served: 16384 of 16384 have no master that answers (CLUSTER SHARDS shows which)",
    ],
    ["no cluster at all", () => `redis+cluster://${at("nobody")}`, "redis does not answer at the cluster at "],
    ["no Sentinel at all", () => `redis+sentinel://${at("nobody")}/logins`, "redis does not answer at logins of the Sentinels at "],
  ])("%s, but may try again", async (_, url, sentence) => {
    const told = await start({ REDIS_URL: url() });
    expect(told).toContain(`Error: ${sentence}`);
    expect(told).not.toContain("ConfigError");
  });
});
