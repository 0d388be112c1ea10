import { describe, expect, it } from "vitest";
import { judgeDisk, judgeFfmpeg, judgeFonts, judgeMemory, judgeNode, judgePorts } from "../../../../../deploy/cli/doctor/judge-host.js";
import { judgeKeys, type KeyFacts } from "../../../../../deploy/cli/doctor/judge-keys.js";
import { judgeMembers, type MemberFacts } from "../../../../../deploy/cli/doctor/judge-members.js";
import { judgeTelegram, judgeTelegramOfStart } from "../../../../../deploy/cli/doctor/judge-telegram.js";
import { judgeCache, judgeRedis, type RedisFacts } from "../../../../../deploy/cli/doctor/judge-redis.js";
import type { Finding, Level } from "../../../../../deploy/cli/doctor/finding.js";

const gib = 1024 ** 3;
const engines = "^20.19.0 || ^22.0.0 || ^24.0.0";
const port = (refused: string | undefined, holder?: string) => ({ port: 8080, owner: "router-1", refused, holder });

it.each<[string, Finding, Level]>([
  ["Node as wanted", judgeNode("20.19.0", engines), "ok"],
  ["a later one", judgeNode("24.1.0", engines), "ok"],
  ["one that is too old", judgeNode("20.18.1", engines), "fail"],
  ["one in between", judgeNode("23.0.0", engines), "fail"],
  ["room on the disk", judgeDisk("/data", 50 * gib), "ok"],
  ["little room", judgeDisk("/data", gib), "warn"],
  ["no room", judgeDisk("/data", gib / 10), "fail"],
  ["memory", judgeMemory(8 * gib, 16 * gib), "ok"],
  ["no memory", judgeMemory(gib, 16 * gib), "warn"],
  ["ffmpeg", judgeFfmpeg("ffmpeg", "7.1"), "ok"],
  ["no ffmpeg", judgeFfmpeg("ffmpeg", undefined), "fail"],
  ["fonts", judgeFonts(45, []), "ok"],
  ["fewer fonts", judgeFonts(45, ["a"]), "fail"],
  ["free ports", judgePorts([port(undefined)]), "ok"],
  ["a port in use", judgePorts([port("EADDRINUSE", "process 1 (x)")]), "warn"],
])("%s: %o", (_, finding, level) => {
  expect(finding.level).toBe(level);
  expect(finding.fix === undefined).toBe(level === "ok");
});

describe("Telegram", () => {
  const howToTurnOn = "set TELEGRAM_API_ID and TELEGRAM_API_HASH to turn it on";
  it("is noted where it is off, and is no fault", () => {
    const router = { role: "router" as const, name: "router-1" };
    const shard = { role: "shard" as const, name: "shard-1" };
    expect(judgeTelegram([router, shard])).toEqual([{ level: "ok", about: "telegram", says: `off at shard-1; ${howToTurnOn}` }]);
    expect(judgeTelegram([router, { ...shard, telegramApiId: 1 }])).toEqual([]);
    expect(judgeTelegramOfStart(undefined)).toEqual([{ level: "ok", about: "telegram", says: `off at the next start; ${howToTurnOn}` }]);
    expect(judgeTelegramOfStart(1)).toEqual([]);
  });
});

describe("Redis", () => {
  const info = {
    redis_version: "7.0.15",
    redis_mode: "standalone",
    role: "master",
    aof_enabled: "1",
    aof_last_write_status: "ok",
    maxmemory_policy: "noeviction",
    used_memory: "1000000",
    maxmemory: "2000000000",
  };
  const facts: RedisFacts = { info, latencyMs: 0.3, clockMs: 2, user: "router", kind: "server" };
  const worse = (part: Partial<RedisFacts>, sessions = 1_000): string[] =>
    judgeRedis({ ...facts, ...part }, sessions).flatMap(({ level, about }) => (level === "ok" ? [] : [`${level} ${about}`]));
  const having = (fields: Record<string, string>): Partial<RedisFacts> => ({ info: { ...info, ...fields } });
  it("in good state has no findings", () => expect(worse({})).toEqual([]));
  it.each<[string, Partial<RedisFacts>, string[]]>([
    ["too old", having({ redis_version: "6.0.16" }), ["fail redis"]],
    ["Valkey", having({ redis_version: "7.2.4", valkey_version: "8.1.0" }), []],
    ["a cluster", having({ redis_mode: "cluster" }), ["fail redis topology"]],
    ["a replica", having({ role: "slave" }), ["fail redis topology"]],
    ["without a file", having({ aof_enabled: "0" }), ["fail redis file"]],
    ["with a full disk", having({ aof_last_write_status: "err" }), ["fail redis file"]],
    ["evicting", having({ maxmemory_policy: "allkeys-lru" }), ["fail redis policy"]],
    ["nearly full", having({ used_memory: "1700000000" }), ["warn redis memory"]],
    ["full", having({ used_memory: "1990000000" }), ["fail redis memory"]],
    ["slow", { latencyMs: 40 }, ["warn redis latency"]],
    ["very slow", { latencyMs: 400 }, ["fail redis latency"]],
    ["before our clock", { clockMs: 2_000 }, ["warn clocks"]],
    ["far behind it", { clockMs: -60_000 }, ["fail clocks"]],
  ])("%s", (_, part, found) => expect(worse(part)).toEqual(found));
  it("with much for each session says that something grows", () => {
    expect(worse(having({ used_memory: "1500000000" }), 200)).toEqual(["warn redis memory"]);
    expect(worse(having({ used_memory: "1500000000" }), 3)).toEqual([]);
  });
  it.each<[Record<string, string>, Level]>([
    [{ maxmemory: "512", maxmemory_policy: "allkeys-lru" }, "ok"],
    [{ maxmemory: "0", maxmemory_policy: "allkeys-lru" }, "warn"],
    [{ maxmemory: "512", maxmemory_policy: "noeviction" }, "warn"],
  ])("as a cache with %j is %s", (fields, level) => {
    expect(judgeCache({ ...facts, info: fields }).map((finding) => finding.level)).toEqual([level]);
  });
});

describe("keys", () => {
  const fitting: KeyFacts = { from: "secrets.json", broken: undefined, lost: {}, sealed: 4, fingerprints: ["a f00"], hasData: true };
  it.each<[string, Partial<KeyFacts>, Level, string]>([
    ["that open what is stored", {}, "ok", "can decrypt 4 records"],
    ["of which one is lost that nothing needs", { lost: { b: 0 } }, "ok", "can decrypt 4 records"],
    ["of which one is lost", { lost: { a: 3 } }, "fail", "key a is missing or different, but 3 records need it"],
    ["that are gone, with logins", { from: undefined }, "fail", "missing, but 4 records need them"],
    [
      "that are gone, and nothing runs",
      { from: undefined, sealed: 0, lost: undefined },
      "fail",
      "missing, but the data folder contains encrypted logins",
    ],
    ["that are not there yet", { from: undefined, sealed: 0, lost: undefined, hasData: false }, "ok", "not created yet"],
    ["that cannot be read", { broken: "CRED_KEYS key a must be 32 bytes of base64" }, "fail", "32 bytes"],
    ["while nothing runs", { lost: undefined }, "warn", "not verified"],
  ])("%s", (_, part, level, says) => {
    const finding = judgeKeys({ ...fitting, ...part });
    expect(finding).toMatchObject({ level, says: expect.stringContaining(says) as string });
  });
});

describe("members", () => {
  const report = (role: "router" | "shard", name: string, more: object = {}) => ({ role, name, version: "1", loopLagMs: 0, ...more });
  const whole: MemberFacts = {
    members: [{ name: "shard-1", state: "active" }],
    reports: [report("router", "router-1"), report("shard", "shard-1")],
    drained: [],
  };
  it.each<[string, Partial<MemberFacts>, Level[]]>([
    ["all there", {}, ["ok"]],
    ["none", { reports: [] }, ["warn"]],
    ["no shard", { reports: [report("router", "router-1")], members: [] }, ["fail"]],
    ["no router", { reports: [report("shard", "shard-1")] }, ["fail"]],
    ["a dead one", { members: [...whole.members, { name: "shard-2", state: "dead" }] }, ["warn"]],
    ["one that left in order", { members: [...whole.members, { name: "shard-2", state: "gone" }] }, ["ok"]],
    ["a silent one", { members: [...whole.members, { name: "shard-2", state: "active" }] }, ["warn"]],
    ["a drained one", { drained: ["shard-1"] }, ["warn"]],
    ["a slow one", { reports: [...whole.reports, report("shard", "shard-2", { loopLagMs: 900 })] }, ["warn"]],
    ["two versions", { reports: [...whole.reports, report("shard", "shard-2", { version: "2" })] }, ["warn"]],
  ])("%s", (_, part, levels) => {
    expect(judgeMembers({ ...whole, ...part }).map(({ level }) => level)).toEqual(levels);
  });
});
