import { describe, expect, it } from "vitest";
import {
  memberName,
  plannedPorts,
  readSupervisorSettings,
  runsSandbox,
  type SupervisorSettings,
} from "../../../../deploy/supervisor/settings.js";
import { ConfigError } from "../../../../shared/config/env.js";

describe("readSupervisorSettings", () => {
  it("runs one router and one shard in one process on the sandbox when nothing is set", () => {
    const { settings, given } = readSupervisorSettings({});
    expect(settings).toMatchObject({
      ports: { http: 8080, admin: 9090, sandbox: 8090 },
      routers: 1,
      shards: 1,
      isAllInOne: true,
      platforms: "sandbox",
      sandboxHost: "127.0.0.1",
      redisUrl: undefined,
      shared: { logLevel: "warn" },
    });
    expect(settings.dataDir).toBe(`${process.cwd()}/.data`);
    expect(given).toEqual({ apiKeys: undefined, credKeys: undefined, mediaKeys: undefined });
  });

  it.each([
    [{ ROUTERS: "1" }, { routers: 1, shards: 2 }],
    [{ SHARDS: "1" }, { routers: 1, shards: 1 }],
    [
      { ROUTERS: "2", SHARDS: "3" },
      { routers: 2, shards: 3 },
    ],
  ])("runs routers and shards in processes of their own with %o", (environment, numbers) => {
    expect(readSupervisorSettings(environment).settings).toMatchObject({ ...numbers, isAllInOne: false });
  });

  it("reports every problem at once, and no secret", () => {
    expect(problemsOf({ ROUTERS: "0", SHARDS: "x", PLATFORMS: "moon", CRED_KEYS: "a:c2VjcmV0", BASE_URL_B: "telegram" })).toEqual([
      'BASE_URL_B must be a path or an http(s) URL, not "telegram"',
      'ROUTERS must be an integer from 1 to 64, not "0"',
      'SHARDS must be an integer from 1 to 64, not "x"',
      'PLATFORMS must be one of sandbox, live, not "moon"',
      "CRED_KEYS key a must be 32 bytes of base64",
    ]);
  });

  it.each([
    ["root:0123456789abcdef", "API_KEYS must be a list of role:key with the roles create and admin; the first has another"],
    ["root:abc", "API_KEYS must be a list of role:key with the roles create and admin; the first has another"],
    ["admin:0123456789abcdef,create:abc", "API_KEYS has a key of fewer than 16 characters (the second)"],
  ])("refuses API_KEYS=%s before anything starts", (keys, problem) => {
    expect(problemsOf({ API_KEYS: keys })).toEqual([problem]);
  });

  it.each<[Record<string, string>, string[]]>([
    [{}, []],
    [{ TELEGRAM_API_ID: "12345", TELEGRAM_API_HASH: "00" }, []],
    [{ TELEGRAM_API_ID: "12345" }, ["TELEGRAM_API_HASH is not set"]],
    [{ TELEGRAM_API_HASH: "00" }, ["TELEGRAM_API_ID is not set"]],
    [{ TELEGRAM_API_ID: "x", TELEGRAM_API_HASH: "00" }, ['TELEGRAM_API_ID must be an integer from 1 to 2147483647, not "x"']],
  ])("wants both of an application's settings on the live platforms, or none: %j", (environment, problems) => {
    expect(problemsOf({ PLATFORMS: "live", ...environment })).toEqual(problems);
  });

  it("turns Telegram off on the live platforms alone when there is no application", () => {
    const appOf = (environment: Record<string, string>) => readSupervisorSettings(environment).settings.telegramApiId;
    expect(appOf({ PLATFORMS: "live" })).toBeUndefined();
    expect(appOf({})).toBe(12_345);
  });

  it.each([
    [{ PORT: "9090" }, "ADMIN_PORT with PORT and SANDBOX_PORT gives 9090 to both router-1 and admin of router-1"],
    [{ PORT: "8089", ROUTERS: "2" }, "ADMIN_PORT with PORT and SANDBOX_PORT gives 8090 to both router-2 and sandbox"],
    [{ ADMIN_PORT: "65534", SHARDS: "2" }, "ADMIN_PORT with PORT and SANDBOX_PORT leaves no port for admin of shard-2"],
    [{ ADMIN_PORT: "65534" }, "ADMIN_PORT with PORT and SANDBOX_PORT leaves no port for admin of supervisor"],
    [{ ADMIN_PORT: "0" }, "ADMIN_PORT must be a port, because further processes count up from it"],
  ])("refuses ports that clash: %o", (environment, problem) => {
    expect(problemsOf(environment)).toEqual([problem]);
  });

  it("counts ports up: routers first, then shards, then the supervisor itself", () => {
    const { settings } = readSupervisorSettings({ ROUTERS: "2", SHARDS: "2" });
    expect(plannedPorts(settings).map(({ port, owner }) => `${port} ${owner}`)).toEqual([
      "8080 router-1",
      "8081 router-2",
      "9090 admin of router-1",
      "9091 admin of router-2",
      "9092 admin of shard-1",
      "9093 admin of shard-2",
      "9094 admin of supervisor",
      "8090 sandbox",
      "8101 data centre 1 of the sandbox",
      "8102 data centre 2 of the sandbox",
      "8103 data centre 3 of the sandbox",
    ]);
  });
});

describe("a host that joins a cluster", () => {
  const joining = (environment: Record<string, string>): SupervisorSettings =>
    readSupervisorSettings({ REDIS_URL: "redis://r:1", ...environment }, ["--join"]).settings;

  it.each([
    ["host-2", "host-2-shard-1"],
    ["Host_2.example.org", "host-2-example-org-shard-1"],
  ])("names its processes by HOST_ID %s", (host, shard) => {
    expect(memberName(joining({ HOST_ID: host }), "shard", 0)).toBe(shard);
    expect(memberName(readSupervisorSettings({ HOST_ID: host }).settings, "shard", 0)).toBe("shard-1");
  });

  it("runs no sandbox, and claims no port for one", () => {
    const settings = joining({ HOST_ID: "b", SHARDS: "1" });
    expect(runsSandbox(settings)).toBe(false);
    expect(plannedPorts(settings).map(({ owner }) => owner)).toEqual([
      "b-router-1",
      "admin of b-router-1",
      "admin of b-shard-1",
      "admin of supervisor",
    ]);
  });

  it("needs a Redis, and a name that can begin others", () => {
    expect(problemsOf({ HOST_ID: "b" }, ["--join"])).toEqual(["REDIS_URL is not set"]);
    expect(problemsOf({ REDIS_URL: "redis://r:1", HOST_ID: "__" }, ["--join"])).toEqual([
      'HOST_ID must have 1 to 50 letters and digits, for the names of its processes, not "__"',
    ]);
  });

  it("has no other argument", () => {
    expect(problemsOf({}, ["--jion"])).toEqual(["--jion is no argument of a start: there is --join alone"]);
  });
});

function problemsOf(environment: Record<string, string>, args: string[] = []): readonly string[] {
  try {
    readSupervisorSettings(environment, args);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
