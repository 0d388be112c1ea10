import { expect, it } from "vitest";
import { readShardSettings } from "../../../shard/config.js";
import { paceRates } from "../../../shard/tenant/pace/pace-rates.js";

const sentence =
  "WHATSAPP_ROOT_KEY is for a server of one's own, such as the sandbox, and WHATSAPP_URL names none: the real platform has its own key";

/** Returns the errors of this setting only. Others are missing, too. */
function messagesOf(setting: string, environment: Record<string, string>): readonly string[] {
  try {
    readShardSettings(environment);
    return [];
  } catch (error) {
    return String(error instanceof Error ? error.message : error)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.startsWith(setting));
  }
}

it.each([
  ["without an address", {}],
  ["with the real platform's address", { WHATSAPP_URL: "wss://web.whatsapp.com/ws/chat" }],
  ["with an address that is none", { WHATSAPP_URL: "web.whatsapp.com" }],
])("refuses another root key %s in one sentence", (_, address) => {
  expect(messagesOf("WHATSAPP_ROOT_KEY", { ...address, WHATSAPP_ROOT_KEY: "/root.key" })).toEqual([expect.stringContaining(sentence)]);
});

it.each([
  { WHATSAPP_URL: "ws://127.0.0.1:8111/ws/chat", WHATSAPP_ROOT_KEY: "/root.key" },
  { WHATSAPP_URL: "ws://127.0.0.1:8111/ws/chat" },
  {},
])("says nothing of a root key for %o", (environment) => {
  expect(messagesOf("WHATSAPP_ROOT_KEY", environment)).toEqual([]);
});

const live = {
  REDIS_URL: "redis://127.0.0.1:6379",
  CRED_KEYS: `a:${Buffer.alloc(32).toString("base64")}`,
  MEDIA_KEYS: `a:${Buffer.alloc(32).toString("base64")}`,
  TELEGRAM_API_ID: "1",
  TELEGRAM_API_HASH: "hash",
};

it("looks up the newest client version on the real platform, and on another server only if configured", () => {
  const urlOf = (environment: Record<string, string>): string | undefined =>
    readShardSettings({ ...live, ...environment }).settings.whatsapp.versionUrl?.href;
  const ownServer = { WHATSAPP_URL: "ws://127.0.0.1:8111/ws/chat" };
  expect(urlOf({})).toBe("https://web.whatsapp.com/sw.js");
  expect(urlOf({ WHATSAPP_URL: "wss://web.whatsapp.com/ws/chat" })).toBe("https://web.whatsapp.com/sw.js");
  expect(urlOf({ WHATSAPP_VERSION_URL: "off" })).toBeUndefined();
  expect(urlOf(ownServer)).toBeUndefined();
  expect(urlOf({ ...ownServer, WHATSAPP_VERSION_URL: "http://127.0.0.1:8090/version" })).toBe("http://127.0.0.1:8090/version");
});

it.each<[Record<string, string>, string | undefined]>([
  [{ TELEGRAM_API_ID: "", TELEGRAM_API_HASH: "" }, undefined],
  [{ TELEGRAM_API_ID: "" }, "TELEGRAM_API_ID is not set"],
  [{ TELEGRAM_API_HASH: "" }, "TELEGRAM_API_HASH is not set"],
  [{ TELEGRAM_API_ID: "0" }, 'TELEGRAM_API_ID must be an integer from 1 to 2147483647, not "0"'],
])("takes a whole Telegram application, or none: %j", (environment, problem) => {
  expect(messagesOf("TELEGRAM_API", { ...live, ...environment })).toEqual(problem === undefined ? [] : [problem]);
  if (problem === undefined) expect(readShardSettings({ ...live, ...environment }).settings.telegram.app).toBeUndefined();
});

it("takes a pinned version that is one", () => {
  expect(readShardSettings(live).settings.whatsapp.version).toBeUndefined();
  expect(readShardSettings({ ...live, WHATSAPP_VERSION: "2.3000.1043857760" }).settings.whatsapp.version).toEqual([2, 3000, 1043857760]);
  expect(messagesOf("WHATSAPP_VERSION", { ...live, WHATSAPP_VERSION: "newest" })).toEqual([
    'WHATSAPP_VERSION must be a version of the web client, such as 2.3000.1043857760, not "newest"',
  ]);
  expect(messagesOf("WHATSAPP_VERSION_URL", { ...live, WHATSAPP_VERSION_URL: "http://mirror.example/" })).toHaveLength(1);
});

it("takes names under which account owners see their devices, and refuses what is none", () => {
  const { settings } = readShardSettings({
    ...live,
    WHATSAPP_DEVICE_NAME: "Büro 2 (Nord)",
    WHATSAPP_DEVICE_BROWSER: "Firefox",
    TELEGRAM_DEVICE_MODEL: "Desk",
  });
  expect(settings.whatsapp.device).toEqual({ name: "Büro 2 (Nord)", browser: "Firefox" });
  expect(settings.telegram.device).toEqual({ deviceModel: "Desk", systemVersion: "1.0", appVersion: "1.0" });
  expect(readShardSettings(live).settings.whatsapp.device).toEqual({ name: "Ubuntu", browser: "Chrome" });
  for (const name of ["x".repeat(33), " x", "x ", "a\nb", "<b>", "a\u202Eb", "()"])
    expect(messagesOf("WHATSAPP_DEVICE_NAME", { ...live, WHATSAPP_DEVICE_NAME: name })).toHaveLength(1);
  expect(messagesOf("TELEGRAM_APP_VERSION", { ...live, TELEGRAM_APP_VERSION: "\u0000" })).toHaveLength(1);
  expect(messagesOf("WHATSAPP_DEVICE_BROWSER", { ...live, WHATSAPP_DEVICE_BROWSER: "Android" })).toEqual([
    'WHATSAPP_DEVICE_BROWSER must be one of Chrome, Edge, Firefox, Opera, Safari, not "Android"',
  ]);
});

it("has a careful pace on live platforms, none on servers of one's own, and takes another", () => {
  const own = { WHATSAPP_URL: "ws://127.0.0.1:8111/ws/chat", TELEGRAM_DC_MAP: "10.0.0.1=127.0.0.1:8101" };
  const careful = { sends: { intervalMs: 2_000, burst: 10 }, newContacts: { intervalMs: 180_000, burst: 5 } };
  const none = { sends: undefined, newContacts: undefined };
  const paceIn = (environment: Record<string, string>): unknown => {
    const { whatsapp, telegram } = readShardSettings({ ...live, ...environment }).settings.pace;
    return { whatsapp: paceRates(whatsapp), telegram: paceRates(telegram) };
  };
  expect(paceIn({})).toEqual({ whatsapp: careful, telegram: careful });
  expect(paceIn(own)).toEqual({ whatsapp: none, telegram: none });
  expect(paceIn({ PACE_SENDS: "0", PACE_NEW_CONTACTS: "0" })).toEqual({ whatsapp: none, telegram: none });
  const set = { sends: { intervalMs: 1_000, burst: 2 }, newContacts: undefined };
  expect(paceIn({ ...own, PACE_SENDS: "60", PACE_SENDS_BURST: "2" })).toEqual({ whatsapp: set, telegram: set });
});

it("takes sessions of two weeks for young on live platforms, none on servers of one's own, and what is set on both", () => {
  const own = { WHATSAPP_URL: "ws://127.0.0.1:8111/ws/chat", TELEGRAM_DC_MAP: "10.0.0.1=127.0.0.1:8101" };
  const youngIn = (environment: Record<string, string>): unknown => readShardSettings({ ...live, ...environment }).settings.youngMs;
  const dayMs = 86_400_000;
  expect(youngIn({})).toEqual({ whatsapp: 14 * dayMs, telegram: 14 * dayMs });
  expect(youngIn(own)).toEqual({ whatsapp: 0, telegram: 0 });
  expect(youngIn({ WHATSAPP_URL: own.WHATSAPP_URL })).toEqual({ whatsapp: 0, telegram: 14 * dayMs });
  expect(youngIn({ ...own, YOUNG_DAYS: "1" })).toEqual({ whatsapp: dayMs, telegram: dayMs });
  expect(youngIn({ YOUNG_DAYS: "0" })).toEqual({ whatsapp: 0, telegram: 0 });
  for (const days of ["-1", "1.5", "soon", "3651"])
    expect(messagesOf("YOUNG_DAYS", { ...live, YOUNG_DAYS: days })).toEqual([
      `YOUNG_DAYS must be an integer from 0 to 3650, not "${days}"`,
    ]);
});

it.each([
  [{ PACE_SENDS: "-1" }, 'PACE_SENDS must be an integer from 0 to 6000, not "-1"'],
  [{ PACE_SENDS: "1.5" }, 'PACE_SENDS must be an integer from 0 to 6000, not "1.5"'],
  [{ PACE_SENDS: "20/min" }, 'PACE_SENDS must be an integer from 0 to 6000, not "20/min"'],
  [{ PACE_SENDS_BURST: "0" }, 'PACE_SENDS_BURST must be an integer from 1 to 1000, not "0"'],
  [{ PACE_NEW_CONTACTS: "off" }, 'PACE_NEW_CONTACTS must be an integer from 0 to 3600, not "off"'],
  [{ PACE_NEW_CONTACTS: "0", PACE_NEW_CONTACTS_BURST: "x" }, 'PACE_NEW_CONTACTS_BURST must be an integer from 1 to 1000, not "x"'],
])("refuses the pace %o in one sentence", (environment: Record<string, string>, sentence) => {
  expect(messagesOf("PACE_", { ...live, ...environment })).toEqual([sentence]);
});

it("denies webhooks a platform of one's own, and none that is the real one", () => {
  const own = (environment: Record<string, string>): readonly string[] =>
    readShardSettings({ ...live, ...environment }).settings.webhook.own;
  const sandbox = {
    WHATSAPP_URL: "ws://127.0.0.1:8111/ws/chat",
    TELEGRAM_DC_MAP: "149.154.167.50=127.0.0.2:8101,149.154.167.51=127.0.0.3:8102",
  };
  expect(own(sandbox)).toEqual(expect.arrayContaining(["127.0.0.1:8111", "127.0.0.2:8101", "127.0.0.3:8102"]));
  expect(own({ WHATSAPP_URL: "wss://sandbox.internal/ws/chat" })).toContain("sandbox.internal:443");
  expect(own({ WHATSAPP_URL: "wss://web.whatsapp.com/ws/chat" })).not.toContain("web.whatsapp.com:443");
});
