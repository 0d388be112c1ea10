import { readFileSync } from "node:fs";
import { proto, type KeyPair, type SignalDataSet, type SignalDataTypeMap } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SlotToken } from "../../shared/cluster/ownership.js";
import { slotOf } from "../../shared/cluster/slot.js";
import type { CommandId, SessionId } from "../../shared/contract/ids.js";
import { KeyRing } from "../../shared/crypto/key-ring.js";
import { parseEnvelope, parseReply } from "../../shared/bus/envelope-text.js";
import { keys } from "../../shared/redis/keys.js";
import { newestSchema } from "../../shared/schema/schema-version.js";
import { CommandLog } from "../../shard/bus/command-log.js";
import { SessionWriter } from "../../shard/session/store/session-writer.js";
import { AuthStore } from "../../shard/whatsapp/auth-store.js";
import { fromJsonBytes } from "../../shard/whatsapp/keys/json-bytes.js";
import { startRedis, type TestRedis } from "../harness/redis.js";

/** Commands that the build of the last commit without a schema wrote of a WhatsApp login and of its bus, arguments in base64, and what it knew of them. */
const former = JSON.parse(readFileSync(new URL("./fixtures/schema-1.json", import.meta.url), "utf8")) as {
  credKeys: string;
  id: SessionId;
  token: SlotToken;
  commands: [command: "hset" | "set" | "sadd" | "zadd", key: string, ...values: string[]][];
  envelope: string;
  reply: string;
  done: CommandId;
  begun: CommandId;
  once: CommandId;
  prekeys: Record<string, { private: string; public: string }>;
  keys: unknown;
  creds: string;
};
const { id, token, done, begun, once } = former;
const ring = KeyRing.parse(former.credKeys);
const pairs: Record<string, KeyPair> = Object.fromEntries(
  Object.entries(former.prekeys).map(([number, pair]) => [
    number,
    { private: Buffer.from(pair.private, "hex"), public: Buffer.from(pair.public, "hex") },
  ]),
);
const numbers = Array.from({ length: 70 }, (_, n) => String(n + 1));
const others = fromJsonBytes(Buffer.from(JSON.stringify(former.keys))) as SignalDataSet;

let redis: TestRedis;
let writer: SessionWriter;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(async () => {
  await redis.client.flushall();
  for (const [command, key, ...values] of former.commands)
    await redis.client.call(command, key, ...values.map((value) => Buffer.from(value, "base64")));
  writer = new SessionWriter(redis.client, ring, { written: newestSchema });
});

const slot = { id, token };
async function device(written: number): Promise<AuthStore> {
  const credentials = {
    read: async <T>(parse: (bytes: Buffer) => T | undefined) => parse((await writer.readCredentials(id)) ?? Buffer.of()),
    write: (bytes: Buffer) => writer.writeCredentials(slot, bytes),
    clear: () => writer.clearCredentials(slot),
  };
  const auth = new AuthStore({ credentials, secrets: writer.secrets(slot) }, { written });
  await auth.load();
  return auth;
}
/** Every kind of key but the prekeys, as the library is given it. */
async function expectOthers(auth: AuthStore): Promise<void> {
  for (const [type, entries] of Object.entries(others) as [keyof SignalDataTypeMap, Record<string, unknown>][]) {
    const found = await auth.keys.get(type, Object.keys(entries));
    expect(JSON.stringify(type === "sender-key-memory" ? inheritedToo(found) : found)).toBe(
      type === "app-state-sync-key"
        ? JSON.stringify(
            Object.fromEntries(
              Object.entries(entries).map(([name, key]) => [name, proto.Message.AppStateSyncKeyData.fromObject(key as never)]),
            ),
          )
        : JSON.stringify(entries),
    );
  }
}
/** The library is lent objects that inherit what is known. */
function inheritedToo(found: Record<string, unknown>): object {
  const flat = (value: unknown): object => {
    const all: Record<string, unknown> = {};
    for (const name in value as object) all[name] = (value as Record<string, unknown>)[name];
    return all;
  };
  return Object.fromEntries(Object.entries(found).map(([id, value]) => [id, flat(value)]));
}
const bytesOf = async (): Promise<number> => Number(await redis.client.memory("USAGE", keys.secrets(id), "SAMPLES", 0));

describe("a login of the build before there was a schema", () => {
  it("is loaded as it was", async () => {
    expect(await writer.load([slotOf(id)], () => undefined)).toMatchObject([
      { id, platform: "whatsapp", tenant: "default", state: { kind: "connected", account: { phone: "6281155501001" } } },
    ]);
    const auth = await device(newestSchema);
    expect(auth.paired).toBe(true);
    expect(auth.creds).toEqual(fromJsonBytes(Buffer.from(former.creds)));
    expect(await auth.keys.get("pre-key", numbers)).toEqual(pairs);
    await expectOthers(auth);
    expect((await writer.secrets(slot).readSent("3EB0AAAA"))?.toString()).toBe("content");
  });

  it("is packed when it logs in, loses nothing by that, and takes less than half of the memory", async () => {
    const before = await bytesOf();
    const auth = await device(newestSchema);
    await auth.reservePrekeys();
    await auth.keys.set(others);
    for (const owner of [auth, await device(newestSchema), await device(1)]) {
      expect(await owner.keys.get("pre-key", numbers)).toEqual(pairs);
      await expectOthers(owner);
    }
    expect(await bytesOf()).toBeLessThan(before / 2);
    const again = await device(newestSchema);
    expect(again.creds.nextPreKeyId).toBe(71 + 1_024);
    expect(Object.keys(await again.keys.get("pre-key", ["71", "1094", "1095"]))).toEqual(["71", "1094"]);
  });

  it("is left as it is while an older shard may get it", async () => {
    const before = await redis.client.hgetallBuffer(keys.secrets(id));
    const auth = await device(1);
    await auth.reservePrekeys();
    expect(await redis.client.hgetallBuffer(keys.secrets(id))).toEqual(before);
    // What is written meanwhile is JSON, which that shard reads.
    await auth.keys.set({ "lid-mapping": { a: "b" } });
    const key = await writer.dataKey(slot).get();
    const [stored] = await redis.client.hmgetBuffer(keys.secrets(id), key.name("secret", "lid-mapping:a"));
    expect(key.open(stored ?? Buffer.of(), "k|lid-mapping:a").toString()).toBe('"b"');
  });

  it("is forgotten as a whole once it is packed", async () => {
    const auth = await device(newestSchema);
    await auth.reservePrekeys();
    await auth.forget();
    expect(await redis.client.exists(keys.secrets(id))).toBe(0);
    expect(await redis.client.hget(keys.session(id), "creds")).toBeNull();
  });
});

describe("commands of the build before there was a schema", () => {
  it("are found as far as they had come", async () => {
    const log = new CommandLog(redis.client, ring, { written: newestSchema });
    const outcome = { kind: "ok", output: { messageId: "3EB0AAAA" } };
    expect(await log.look(slotOf(id), done)).toEqual(outcome);
    expect(await log.begin(slotOf(id), token, done, "send", "c2")).toEqual({ kind: "done", outcome });
    expect(await log.look(slotOf(id), begun)).toBe("begun");
    expect(await log.begin(slotOf(id), token, begun, "send", "c2")).toEqual({ kind: "run", repeats: 1 });
    expect(await log.begin(slotOf(id), token, once, "once", "c2")).toEqual({ kind: "unknown" });
  });

  it("are read on their way, and answered", () => {
    expect(parseEnvelope(former.envelope)).toMatchObject({ v: 1, id: begun, session: id, slot: slotOf(id), requestId: "r-1" });
    expect(parseReply(former.reply)).toMatchObject({ id: done, session: id, attempt: 0, outcome: { kind: "ok" } });
  });
});
