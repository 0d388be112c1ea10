import type { SignalKeyStore } from "@whiskeysockets/baileys";
import { expect, it } from "vitest";
import { hasWritten } from "../../../../shard/whatsapp/message/has-written.js";

const jid = "15550100002@s.whatsapp.net";
const lid = "100000000000002";
/** A session as libsignal writes it. `pendingPreKey` is there until something was decrypted in the session. */
const sent = { _sessions: { a: { pendingPreKey: { baseKey: "a" } } }, version: "v1" };
const received = { _sessions: { a: { pendingPreKey: { baseKey: "a" } }, b: {} }, version: "v1" };
const nowSeconds = String(Math.floor(Date.now() / 1_000));

const keysOf = (stored: Readonly<Record<string, unknown>>): Pick<SignalKeyStore, "get"> => ({
  get: async (type, ids) =>
    Object.fromEntries(ids.flatMap((id) => (`${type} ${id}` in stored ? [[id, stored[`${type} ${id}`] as never]] : []))),
});

it.each<[string, Readonly<Record<string, unknown>>, boolean]>([
  ["who is unknown", {}, false],
  ["whom the account wrote to", { "session 15550100002.0": sent }, false],
  ["whose message was decrypted", { "session 15550100002.0": received }, true],
  ["whose message from a linked device was decrypted", { "session 15550100002.7": received }, true],
  ["who wrote under an anonymous id", { "lid-mapping 15550100002": lid, [`session ${lid}_1.0`]: received }, true],
  [
    "who gave a token",
    { "lid-mapping 15550100002": lid, [`tctoken ${lid}@lid`]: { token: Buffer.from("t"), timestamp: nowSeconds } },
    true,
  ],
  ["whose token is empty", { [`tctoken ${jid}`]: { token: Buffer.alloc(0), timestamp: nowSeconds } }, false],
  ["whose token has expired", { [`tctoken ${jid}`]: { token: Buffer.from("t"), timestamp: "1500000000" } }, false],
])("somebody %s", async (_, stored, expected) => {
  expect(await hasWritten(keysOf(stored), jid, (user) => (user === "15550100002" ? [{ device: 0 }, { device: 7 }] : undefined))).toBe(
    expected,
  );
});
