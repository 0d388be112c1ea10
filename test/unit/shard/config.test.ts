import { expect, it } from "vitest";
import { readShardSettings } from "../../../shard/config.js";

const sentence =
  "WHATSAPP_ROOT_KEY is for a server of one's own, such as the sandbox, and WHATSAPP_URL names none: the real platform has its own key";

/** What is said of these settings alone; others are missing. */
function saidOfRootKey(environment: Record<string, string>): readonly string[] {
  try {
    readShardSettings(environment);
    return [];
  } catch (error) {
    return String(error instanceof Error ? error.message : error)
      .split("\n")
      .filter((line) => line.includes("WHATSAPP_ROOT_KEY"))
      .map((line) => line.trim());
  }
}

it.each([
  ["without an address", {}],
  ["with the real platform's address", { WHATSAPP_URL: "wss://web.whatsapp.com/ws/chat" }],
  ["with an address that is none", { WHATSAPP_URL: "web.whatsapp.com" }],
])("refuses another root key %s in one sentence", (_, address) => {
  expect(saidOfRootKey({ ...address, WHATSAPP_ROOT_KEY: "/root.key" })).toEqual([expect.stringContaining(sentence)]);
});

it.each([
  { WHATSAPP_URL: "ws://127.0.0.1:8111/ws/chat", WHATSAPP_ROOT_KEY: "/root.key" },
  { WHATSAPP_URL: "ws://127.0.0.1:8111/ws/chat" },
  {},
])("says nothing of a root key for %o", (environment) => {
  expect(saidOfRootKey(environment)).toEqual([]);
});
