import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Platform } from "../../shared/contract/platform.js";
import type { ArchivedKey } from "../../deploy/cli/backup/archive-form.js";
import { restoreInto } from "../../deploy/cli/backup/restore-into.js";
import { snapshot, type StoredGroup } from "../../deploy/cli/backup/snapshot.js";
import { keys } from "../../shared/redis/keys.js";
import { loggedIn, request, type ApiResponse, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { metricOf, scrape } from "../harness/metrics.js";

/** Tests a Redis that is silent for seconds, and a Redis that accepts no writes: responses on both platforms, and the state afterwards. */
let cluster: TestCluster;
let files: Server;
/** Held requests for a file. */
const waiting: ServerResponse[] = [];
let callers: Readonly<Record<Platform, Caller>>;

beforeAll(async () => {
  files = createServer((_request, response) => void waiting.push(response)).listen(0, "127.0.0.1");
  await once(files, "listening");
  cluster = await startCluster({ env: { DOWNLOAD_ALLOW: fileHost() } });
  callers = { whatsapp: await loggedIn(cluster, "alice", "whatsapp"), telegram: await loggedIn(cluster, "alice", "telegram") };
});
afterAll(async () => {
  await cluster.stop();
  files.close();
});

const phones: Readonly<Record<Platform, string>> = { whatsapp: "6281155501002", telegram: "15550100002" };
const fileHost = (): string => `127.0.0.1:${(files.address() as AddressInfo).port}`;
const text = (platform: Platform): Promise<ApiResponse> =>
  callers[platform].send("POST", "/message", { phone: phones[platform], type: "text", text: "hello" });

describe("a Redis that is silent for eight seconds", () => {
  it("loses neither platform's sends in flight nor its connections", async () => {
    const ends = async (): Promise<number> => {
      const metrics = await scrape(cluster.adminPorts[1] ?? 0);
      return (
        metricOf(metrics, "gateway_shard_whatsapp_connection_ends_total") +
        metricOf(metrics, "gateway_shard_telegram_connection_ends_total")
      );
    };
    const before = await ends();
    const document = { url: `http://${fileHost()}/a.pdf`, name: "a.pdf", size: 5, mimetype: "application/pdf" };
    const sending = (["whatsapp", "telegram"] as const).map((platform) =>
      callers[platform].send("POST", "/message", { phone: phones[platform], type: "document", text: "", document }),
    );
    await eventually("both sends at their files", () => waiting.length === 2);
    process.kill(cluster.redis.pid, "SIGSTOP");
    try {
      // The platforms' next steps need Redis: keys, and names of chats.
      for (const response of waiting.splice(0)) response.end("%PDF-");
      await new Promise((resolve) => setTimeout(resolve, 8_000));
    } finally {
      process.kill(cluster.redis.pid, "SIGCONT");
    }
    expect((await Promise.all(sending)).map(({ status, body }) => [status, Object.keys(body as object)])).toEqual([
      [200, ["messageId"]],
      [200, ["messageId"]],
    ]);
    expect(await ends()).toBe(before);
    expect((await Promise.all([text("whatsapp"), text("telegram")])).map(({ status }) => status)).toEqual([200, 200]);
  });
});

async function* archived(groups: readonly StoredGroup[]): AsyncGenerator<ArchivedKey> {
  for (const group of groups)
    for (const { key, lifetimeMs, value } of group.keys) yield { k: key, t: lifetimeMs, v: value.toString("base64") };
}
/** Returns the reasons of each process for not being ready. */
const reasons = async (): Promise<string[]> =>
  (
    await Promise.all(
      cluster.adminPorts.map(async (port) => (await request(`http://127.0.0.1:${port}/readyz`)).body as { reasons: string[] }),
    )
  ).map((body) => body.reasons.join("; "));

describe("a Redis that has lost all that it held", () => {
  it("fails readiness and rejects callers with Retry-After; a restored backup brings the sessions back without a new code", async () => {
    const groups: StoredGroup[] = [];
    for await (const group of snapshot(cluster.redis.client)) groups.push(group);
    const document = { url: `http://${fileHost()}/b.pdf`, name: "b.pdf", size: 5, mimetype: "application/pdf" };
    const inFlight = (["whatsapp", "telegram"] as const).map((platform) =>
      callers[platform].send("POST", "/message", { phone: phones[platform], type: "document", text: "", document }),
    );
    await eventually("both sends at their files", () => waiting.length === 2);
    await cluster.redis.client.flushall();
    const flushedAt = performance.now();
    for (const platform of ["whatsapp", "telegram"] as const) {
      // The router serves its copy of the record until Redis reports the change.
      await eventually("the copy is gone", async () => (await callers[platform].get("/session")).status !== 200);
      const { status, headers, body } = await callers[platform].get("/session");
      expect([status, headers.get("retry-after"), body]).toEqual([503, "1", { statusCode: 503, message: "storage unavailable" }]);
    }
    const admin = { headers: { "x-api-key": cluster.adminKey } };
    for (const path of ["/admin/sessions", `/admin/sessions/${callers.telegram.credentials.id}`])
      expect([path, (await request(new URL(path, cluster.telegram[0]).href, admin)).status]).toEqual([path, 503]);
    // The messages may have been sent, and the earlier shard cannot report it any more.
    for (const { status, body } of await Promise.all(inFlight))
      expect([status, body]).toEqual([500, { statusCode: 500, message: "internal server error" }]);
    expect(performance.now() - flushedAt).toBeLessThan(60_000);
    for (const response of waiting.splice(0)) response.end("%PDF-");
    await eventually("no process is ready", async () =>
      (await reasons()).every((reason) => reason.includes("REDIS_URL names a Redis that has lost all that it held: restore a backup")),
    );
    // A fenced process does not start again beside the backup.
    await eventually("no lease", async () => (await reasons())[1]?.includes("no lease"));
    expect(await cluster.redis.client.exists(keys.members)).toBe(0);
    await restoreInto(cluster.redis.client, archived(groups), { replace: true }, () => undefined);
    await eventually("ready again", async () => (await reasons()).every((reason) => reason === ""));
    for (const platform of ["whatsapp", "telegram"] as const) {
      await eventually("connected", async () => (await callers[platform].record()).isConnected);
      expect(await callers[platform].record()).toMatchObject({ qrcode: "" });
      expect((await text(platform)).status).toBe(200);
    }
  });
});

describe("a Redis that responds and rejects writes", () => {
  const config = (name: string, value: string): Promise<unknown> => cluster.redis.client.config("SET", name, value);
  const dump = async (): Promise<string> => {
    const [, folder = ""] = await cluster.redis.client.config("GET", "dir");
    return join(folder, "dump.rdb");
  };
  const troubles = [
    { kind: "full", begin: () => config("maxmemory", "1"), end: () => config("maxmemory", "0") },
    { kind: "without replicas", begin: () => config("min-replicas-to-write", "1"), end: () => config("min-replicas-to-write", "0") },
    {
      kind: "failing to write its file",
      begin: async () => {
        // Redis cannot replace a folder that is not empty.
        await mkdir(join(await dump(), "in-the-way"), { recursive: true });
        await config("save", "3600 1000000");
        await cluster.redis.client.bgsave();
        await eventually("a failed save", async () =>
          (await cluster.redis.client.info("persistence")).includes("rdb_last_bgsave_status:err"),
        );
      },
      end: async () => {
        await config("save", "");
        await rm(await dump(), { recursive: true });
        await cluster.redis.client.bgsave();
        await eventually("a good save", async () => (await cluster.redis.client.info("persistence")).includes("rdb_last_bgsave_status:ok"));
      },
    },
  ];

  it.each(troubles)(
    "because it is $kind: every call that needs one is 503 and says when to come again, readiness says why, and nothing is left half-made",
    async ({ kind, begin, end }) => {
      const sessions = await stored();
      await begin();
      try {
        const responses = await Promise.all(calls().map(async ([what, call]) => [what, await call()] as const));
        for (const [what, { status, headers, body }] of responses) {
          expect([what, status, headers.get("retry-after"), body]).toEqual([
            what,
            503,
            "1",
            { statusCode: 503, message: "storage unavailable" },
          ]);
        }
        for (const platform of ["whatsapp", "telegram"] as const) expect((await callers[platform].get("/session")).status).toBe(200);
        for (const port of cluster.adminPorts) {
          await eventually("readiness says it", async () =>
            ((await request(`http://127.0.0.1:${port}/readyz`)).body as { reasons: string[] }).reasons.includes(
              `redis takes no writes: it is ${kind}`,
            ),
          );
          expect(await scrape(port)).toMatch(/^gateway_\w+_redis_writes_refused\{.*\} 1$/m);
        }
      } finally {
        await end();
      }
      expect(await stored()).toEqual(sessions);
      for (const port of cluster.adminPorts)
        await eventually("ready again", async () => (await request(`http://127.0.0.1:${port}/readyz`)).status === 200);
      for (const platform of ["whatsapp", "telegram"] as const) {
        await eventually("connected", async () => (await callers[platform].record()).isConnected);
        expect((await text(platform)).status).toBe(200);
      }
    },
  );

  const stored = async (): Promise<string[]> => (await cluster.redis.client.keys("session:*")).sort();

  /** Every endpoint that a shard serves, with valid input. Only Redis can make them fail. */
  function calls(): (readonly [what: string, call: () => Promise<ApiResponse>])[] {
    return (["whatsapp", "telegram"] as const).flatMap((platform) => {
      const caller = callers[platform];
      const group = platform === "whatsapp" ? "120363000000000001@g.us" : "-1001000000001";
      const channel = platform === "whatsapp" ? "120363000000000001@newsletter" : "-1001000000002";
      const phone = phones[platform];
      const post = (path: string, body: object) => [`${platform} POST ${path}`, () => caller.send("POST", path, body)] as const;
      const get = (path: string) => [`${platform} GET ${path}`, () => caller.get(path)] as const;
      const create = () => request(`${cluster[platform][0] ?? ""}/session`, { method: "POST", headers: { "x-api-key": cluster.adminKey } });
      return [
        [`${platform} POST /session`, create] as const,
        post("/session/reset", {}),
        [`${platform} DELETE /session`, () => caller.send("DELETE", "/session")] as const,
        post("/message", { phone, type: "text", text: "hello" }),
        post("/typing", { phone, type: "text" }),
        post("/status", { type: "text", text: "hello", privacy: "contacts" }),
        get("/group"),
        get(`/group/${group}`),
        get(`/group/member?groupId=${group}`),
        get("/channel"),
        get(`/channel/${channel}`),
        get(`/channel/message?channelId=${channel}`),
        ...(platform === "telegram"
          ? [
              post("/session/password", { password: "secret" }),
              [
                "telegram PUT /session/webhook",
                () => caller.send("PUT", "/session/webhook", { url: "http://127.0.0.1:9/", token: "t" }),
              ] as const,
            ]
          : []),
      ];
    });
  }
});
