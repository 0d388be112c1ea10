import { describe, expect, it } from "vitest";
import { routerEnvironment } from "../../../../deploy/all-in-one/router-environment.js";
import { planChildren, type ChildFacts } from "../../../../deploy/supervisor/plan-children.js";
import { readSupervisorSettings } from "../../../../deploy/supervisor/settings.js";

describe("planChildren", () => {
  it("passes each process its name, its ports and the keys that it needs", () => {
    const { sandbox, shards, routers } = planChildren(facts({ ROUTERS: "2" }));
    expect(routers.map((plan) => plan.env())).toMatchObject([
      {
        MEMBER_NAME: "router-1",
        PORT: "8080",
        ADMIN_PORT: "9090",
        API_KEYS: "admin:k",
        CRED_KEYS: "c",
        MEDIA_KEYS: "m",
        REDIS_URL: "/r.sock",
        REDIS_CACHE_URL: "/c.sock",
        BASE_URL_B: "http://127.0.0.1:8080/telegram",
        LOG_LEVEL: "warn",
        SANDBOX_URL: "http://127.0.0.1:8090",
      },
      { MEMBER_NAME: "router-2", PORT: "8081", ADMIN_PORT: "9091" },
    ]);
    expect(shards.map((plan) => plan.env())).toMatchObject([
      { MEMBER_NAME: "shard-1", ADMIN_PORT: "9092", CRED_KEYS: "c", MEDIA_KEYS: "m" },
      { MEMBER_NAME: "shard-2", ADMIN_PORT: "9093" },
    ]);
    expect(sandbox?.env()).toMatchObject({ SANDBOX_PORT: "8090" });
    expect(sandbox?.env()).not.toHaveProperty("CRED_KEYS");
    expect(shards[0]?.env()).not.toHaveProperty("API_KEYS");
  });

  it("runs the only router and the only shard in one process if neither number is set", () => {
    const { shards, routers, allInOne } = planChildren(facts({}));
    expect(allInOne).toMatchObject({ name: "gateway-1", where: "port 8080, admin port 9090; admin port 9091", stopMs: 80_000 });
    const environment = allInOne?.env() ?? {};
    expect(environment).toMatchObject({
      MEMBER_NAME: "shard-1",
      ADMIN_PORT: "9091",
      ROUTER_MEMBER_NAME: "router-1",
      ROUTER_ADMIN_PORT: "9090",
      PORT: "8080",
      UWS_HTTP_MAX_HEADERS_SIZE: "16384",
    });
    const readAlike = (one: NodeJS.ProcessEnv, other: NodeJS.ProcessEnv | undefined): void =>
      expect(one).toMatchObject({ ...other, EGRESS_ADDRESS: one["EGRESS_ADDRESS"] });
    readAlike(routerEnvironment(environment), routers[0]?.env());
    readAlike(environment, shards[0]?.env());
    expect(planChildren(facts({ SHARDS: "1" })).allInOne).toBeUndefined();
  });

  it("gives a router the time that it takes to leave its balancer and to finish", () => {
    const stopMs = (environment: Record<string, string>): number | undefined => planChildren(facts(environment)).routers[0]?.stopMs;
    expect(stopMs({})).toBe(35_000);
    expect(stopMs({ SHUTDOWN_DELAY_SECONDS: "10", SHUTDOWN_GRACE_SECONDS: "250" })).toBe(265_000);
  });

  it("hands secrets of its own environment to those alone that need them", () => {
    const given = {
      API_KEYS: "admin:0123456789abcdef",
      CRED_KEYS: `a:${"A".repeat(43)}=`,
      MEDIA_KEYS: `a:${"B".repeat(43)}=`,
      TELEGRAM_API_ID: "1",
      TELEGRAM_API_HASH: "h",
    };
    const files = { API_KEYS_FILE: "/api", CRED_KEYS_FILE: "/cred", MEDIA_KEYS_FILE: "/media", REDIS_URL_FILE: "/redis" };
    const plan = planChildren({ ...facts(given), environment: { ...given, ...files } });
    const secretsOf = (env: NodeJS.ProcessEnv | undefined): string[] =>
      Object.keys(env ?? {})
        .filter((name) => /KEYS|HASH|REDIS/.test(name))
        .sort();
    expect(secretsOf(plan.sandbox?.env())).toEqual([]);
    expect(secretsOf(plan.shards[0]?.env())).toEqual([
      "CRED_KEYS",
      "MEDIA_KEYS",
      "REDIS_CACHE_URL",
      "REDIS_URL",
      "REDIS_URL_FILE",
      "TELEGRAM_API_HASH",
    ]);
    expect(secretsOf(plan.routers[0]?.env())).toEqual([
      "API_KEYS",
      "CRED_KEYS",
      "MEDIA_KEYS",
      "REDIS_CACHE_URL",
      "REDIS_URL",
      "REDIS_URL_FILE",
      "TELEGRAM_API_HASH",
    ]);
  });

  it("points all at a sandbox that other hosts reach, and has no shard come from an address of loopback", () => {
    const { sandbox, shards, routers } = planChildren(facts({ SANDBOX_HOST: "10.0.0.5" }));
    expect(sandbox?.env()).toMatchObject({ SANDBOX_HOST: "10.0.0.5", SANDBOX_PORT: "8090" });
    expect(routers[0]?.env()).toMatchObject({ SANDBOX_URL: "http://10.0.0.5:8090" });
    const shard = shards[0]?.env();
    expect(shard).toMatchObject({ DOWNLOAD_ALLOW: "10.0.0.5:8090/files/" });
    expect(shard).not.toHaveProperty("EGRESS_ADDRESS");
    expect(shard?.["WEBHOOK_DENY"]?.split(",")).toEqual(expect.arrayContaining(["127.0.0.1:8090", "10.0.0.5:8090"]));
  });

  it("denies webhooks the sandbox's files too", () => {
    const whatsapp = { url: "ws://127.0.0.1:9/ws", rootKeyPath: "/root.key", mediaCaPath: "/ca.pem", mediaHost: "127.0.0.1:10" };
    const { shards } = planChildren(facts({}, { sandbox: () => ({ whatsapp }) }));
    expect(shards[0]?.env()["WEBHOOK_DENY"]?.split(",")).toEqual(expect.arrayContaining(["127.0.0.1:8090", "127.0.0.1:10"]));
    const set = planChildren(facts({ WEBHOOK_DENY: "10.0.0.1:1" }, { sandbox: () => ({ whatsapp }) }));
    expect(set.shards[0]?.env()["WEBHOOK_DENY"]).toBe("10.0.0.1:1");
  });

  it("points shards at the sandbox as it is when they are forked, each fork from an address of its own", () => {
    let dcMap = "149.154.167.50=127.0.0.1:1";
    const { shards } = planChildren(
      facts(
        { SHARDS: "2" },
        {
          sandbox: () => ({
            telegram: { dcMap, publicKeyPath: "/key.pem" },
            whatsapp: { url: "ws://127.0.0.1:9/ws", rootKeyPath: "/root.key", mediaCaPath: "/ca.pem" },
          }),
        },
      ),
    );
    expect(shards[0]?.env()).toMatchObject({
      WHATSAPP_URL: "ws://127.0.0.1:9/ws",
      WHATSAPP_ROOT_KEY: "/root.key",
      WHATSAPP_MEDIA_CA: "/ca.pem",
      TELEGRAM_DC_MAP: dcMap,
      TELEGRAM_SERVER_KEYS: "/key.pem",
      TELEGRAM_API_ID: "12345",
      DOWNLOAD_ALLOW: "127.0.0.1:8090/files/",
      EGRESS_ADDRESS: "127.0.1.1",
    });
    dcMap = "149.154.167.50=127.0.0.1:2";
    expect(shards[1]?.env()).toMatchObject({ TELEGRAM_DC_MAP: dcMap, EGRESS_ADDRESS: "127.0.1.2" });
    expect(shards[0]?.env()).toMatchObject({ EGRESS_ADDRESS: "127.0.1.3" });
  });

  it("stays within 127.0.1.1 to 127.0.250.254 after many forks", () => {
    const [shard] = planChildren(facts({ SHARDS: "1" })).shards;
    const addresses = Array.from({ length: 250 * 254 + 1 }, () => shard?.env()["EGRESS_ADDRESS"]);
    expect(addresses.at(253)).toBe("127.0.1.254");
    expect(addresses.at(254)).toBe("127.0.2.1");
    expect(addresses.at(-2)).toBe("127.0.250.254");
    expect(addresses.at(-1)).toBe("127.0.1.1");
  });

  it.each([
    ["another system than Linux", facts({}, { system: "darwin" })],
    ["the live platform", facts({ PLATFORMS: "live", TELEGRAM_API_ID: "1", TELEGRAM_API_HASH: "h" })],
  ])("leaves the source address to the system on %s", (_, given) => {
    expect(planChildren(given).shards[0]?.env()).not.toHaveProperty("EGRESS_ADDRESS");
  });

  it("starts no sandbox and opens no loopback download for the live platform", () => {
    const { sandbox, shards } = planChildren(facts({ PLATFORMS: "live", TELEGRAM_API_ID: "1", TELEGRAM_API_HASH: "h" }));
    expect(sandbox).toBeUndefined();
    expect(shards[0]?.env()).toMatchObject({ TELEGRAM_API_ID: "1", TELEGRAM_API_HASH: "h" });
    for (const name of [
      "WHATSAPP_URL",
      "WHATSAPP_ROOT_KEY",
      "WHATSAPP_MEDIA_CA",
      "TELEGRAM_DC_MAP",
      "TELEGRAM_SERVER_KEYS",
      "DOWNLOAD_ALLOW",
    ])
      expect(shards[0]?.env()).not.toHaveProperty(name);
  });
});

it("passes no sandbox to routers on live platforms, whatever the environment says", () => {
  const live = { PLATFORMS: "live", TELEGRAM_API_ID: "1", TELEGRAM_API_HASH: "h", SANDBOX_URL: "http://127.0.0.1:8090" };
  expect(planChildren(facts(live)).routers[0]?.env()).not.toHaveProperty("SANDBOX_URL");
});

it("passes the processes of a joined host its names, the other host's sandbox and their own addresses", () => {
  const environment = { REDIS_URL: "redis://r:1", HOST_ID: "b", SHARDS: "1" };
  const { settings } = readSupervisorSettings(environment, ["--join"]);
  const joined = { control: "http://127.0.0.1:7000", telegram: { dcMap: "1=2", publicKeyPath: "/k" } };
  const { sandbox, shards, routers } = planChildren({ ...facts(environment), settings, sandbox: () => joined });
  expect(sandbox).toBeUndefined();
  expect(routers[0]?.env()).toMatchObject({ MEMBER_NAME: "b-router-1", SANDBOX_URL: "http://127.0.0.1:7000" });
  const shard = shards[0]?.env();
  expect(shard).toMatchObject({ MEMBER_NAME: "b-shard-1", TELEGRAM_DC_MAP: "1=2", DOWNLOAD_ALLOW: "127.0.0.1:7000/files/" });
  expect(shard?.["EGRESS_ADDRESS"]).toMatch(/^127\.(?!0\.)\d+\.1\.1$/);
});

function facts(environment: Record<string, string>, more: Partial<ChildFacts> = {}): ChildFacts {
  const { settings } = readSupervisorSettings(environment);
  const secrets = { apiKeys: "admin:k", credKeys: "c", mediaKeys: "m", adminKey: "k", made: undefined };
  return { settings, secrets, environment, redisUrl: "/r.sock", redisCacheUrl: "/c.sock", sandbox: () => ({}), system: "linux", ...more };
}
