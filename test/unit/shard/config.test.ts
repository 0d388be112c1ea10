import { expect, it } from "vitest";
import { readShardSettings } from "../../../shard/config.js";

const sentence =
  "WHATSAPP_ROOT_KEY is for a server of one's own, such as the sandbox, and WHATSAPP_URL names none: the real platform has its own key";

/** What is said of this setting alone; others are missing. */
function saidOf(setting: string, environment: Record<string, string>): readonly string[] {
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
  expect(saidOf("WHATSAPP_ROOT_KEY", { ...address, WHATSAPP_ROOT_KEY: "/root.key" })).toEqual([expect.stringContaining(sentence)]);
});

it.each([
  { WHATSAPP_URL: "ws://127.0.0.1:8111/ws/chat", WHATSAPP_ROOT_KEY: "/root.key" },
  { WHATSAPP_URL: "ws://127.0.0.1:8111/ws/chat" },
  {},
])("says nothing of a root key for %o", (environment) => {
  expect(saidOf("WHATSAPP_ROOT_KEY", environment)).toEqual([]);
});

const live = {
  REDIS_URL: "redis://127.0.0.1:6379",
  CRED_KEYS: `a:${Buffer.alloc(32).toString("base64")}`,
  MEDIA_KEYS: `a:${Buffer.alloc(32).toString("base64")}`,
  TELEGRAM_API_ID: "1",
  TELEGRAM_API_HASH: "hash",
};

it("looks the newest version of the client up on the real platform, and on a server of one's own only where it is told to", () => {
  const urlOf = (environment: Record<string, string>): string | undefined =>
    readShardSettings({ ...live, ...environment }).settings.whatsapp.versionUrl?.href;
  const ownServer = { WHATSAPP_URL: "ws://127.0.0.1:8111/ws/chat" };
  expect(urlOf({})).toBe("https://web.whatsapp.com/sw.js");
  expect(urlOf({ WHATSAPP_URL: "wss://web.whatsapp.com/ws/chat" })).toBe("https://web.whatsapp.com/sw.js");
  expect(urlOf({ WHATSAPP_VERSION_URL: "off" })).toBeUndefined();
  expect(urlOf(ownServer)).toBeUndefined();
  expect(urlOf({ ...ownServer, WHATSAPP_VERSION_URL: "http://127.0.0.1:8090/version" })).toBe("http://127.0.0.1:8090/version");
});

it("takes a pinned version that is one", () => {
  expect(readShardSettings(live).settings.whatsapp.version).toBeUndefined();
  expect(readShardSettings({ ...live, WHATSAPP_VERSION: "2.3000.1043857760" }).settings.whatsapp.version).toEqual([2, 3000, 1043857760]);
  expect(saidOf("WHATSAPP_VERSION", { ...live, WHATSAPP_VERSION: "newest" })).toEqual([
    'WHATSAPP_VERSION must be a version of the web client, such as 2.3000.1043857760, not "newest"',
  ]);
  expect(saidOf("WHATSAPP_VERSION_URL", { ...live, WHATSAPP_VERSION_URL: "http://mirror.example/" })).toHaveLength(1);
});
