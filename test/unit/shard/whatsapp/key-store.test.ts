import { addTransactionCapability, DEFAULT_CONNECTION_CONFIG, generateSignalPubKey, initAuthCreds, proto } from "@whiskeysockets/baileys";
import { describe, expect, it, vi } from "vitest";
import { UnreadableRecord } from "../../../../shared/session/unreadable-record.js";
import type { SecretMap } from "../../../../shard/session/session-context.js";
import { KeyStore } from "../../../../shard/whatsapp/keys/key-store.js";
import { packJson, unpackJson } from "../../../../shard/whatsapp/keys/packed-json.js";
import { silentLogger } from "../../../../shard/whatsapp/network/silent-logger.js";

class Secrets implements SecretMap {
  readonly stored = new Map<string, Buffer>();
  readonly writes: number[] = [];
  reads: string[] = [];
  fails = false;
  begun = 0;
  /** Each write waits for this promise. */
  before: Promise<void> | undefined;
  async getMany(fields: readonly string[]): Promise<(Buffer | undefined)[]> {
    this.reads.push(...fields);
    return fields.map((field) => this.stored.get(field));
  }
  async apply(changes: ReadonlyMap<string, Buffer | undefined>): Promise<void> {
    this.begun += 1;
    await this.before;
    if (this.fails) throw new Error("redis is away");
    this.writes.push(changes.size);
    for (const [field, value] of changes) {
      if (value === undefined) this.stored.delete(field);
      else this.stored.set(field, value);
    }
  }
  async clear(): Promise<void> {
    this.stored.clear();
  }
}

describe("KeyStore", () => {
  it("writes all types of one change together, and gives bytes back as bytes", async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    const pair = { public: Buffer.from("p"), private: Buffer.from("q") };
    await keys.set({ "pre-key": { 1: pair, 2: pair }, "lid-mapping": { a: "b" }, session: { x: null } });
    expect(secrets.writes).toEqual([4]);
    expect(await new KeyStore(secrets).get("pre-key", ["1", "3"])).toEqual({ 1: pair });
  });
  it("reads from memory what every message needs, and nothing else", async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    await keys.set({ "lid-mapping": { a: "b" }, "app-state-sync-version": { a: null } });
    for (let n = 0; n < 2; n++) {
      await keys.get("lid-mapping", ["a"]);
      await keys.get("app-state-sync-version", ["a"]);
    }
    expect(secrets.reads).toEqual(["app-state-sync-version:a", "app-state-sync-version:a"]);
  });
  it("reports a stored session that cannot be unpacked as unreadable", async () => {
    const secrets = new Secrets();
    secrets.stored.set("session:a", Buffer.from("{damaged"));
    await expect(new KeyStore(secrets).get("session", ["a"])).rejects.toBeInstanceOf(UnreadableRecord);
  });
  it("reads an absent value once, and finds it after a write", async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    for (let n = 0; n < 3; n++) expect(await keys.get("device-list", ["a", "b"])).toEqual({});
    expect(secrets.reads).toEqual(["device-list:a", "device-list:b"]);
    await keys.set({ "device-list": { a: ["0"] } });
    expect(await keys.get("device-list", ["a", "b"])).toEqual({ a: ["0"] });
    await keys.set({ "device-list": { a: null } });
    expect(await keys.get("device-list", ["a", "b"])).toEqual({});
    expect(secrets.reads).toHaveLength(2);
  });
  it("does not cache a read that a write has overtaken", async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    const group = "1@g.us";
    const getMany = secrets.getMany.bind(secrets);
    let respond: () => void = () => undefined;
    const responded = new Promise<void>((resolve) => (respond = resolve));
    secrets.getMany = async (fields) => {
      const found = await getMany(fields);
      await responded;
      return found;
    };
    const reads = Promise.all([keys.get("session", ["a"]), keys.get("sender-key-memory", [group])]);
    await vi.waitFor(() => expect(secrets.reads).toHaveLength(2));
    secrets.getMany = getMany;
    await keys.set({ session: { a: { chain: 1 } as never }, "sender-key-memory": { [group]: { "1@lid": true } } });
    respond();
    await reads;
    expect(await keys.get("session", ["a"])).toEqual({ a: { chain: 1 } });
    expect((await keys.get("sender-key-memory", [group]))[group]?.["1@lid"]).toBe(true);
  });
  it("hands out a copy each time: the library changes what it is given before it stores it", async () => {
    const keys = new KeyStore(new Secrets());
    await keys.set({ "device-list": { a: ["0"] } });
    (await keys.get("device-list", ["a"]))["a"]?.push("1");
    expect(await keys.get("device-list", ["a"])).toEqual({ a: ["0"] });
  });
  it("returns sessions unchanged, which the library reads and stores again in its own objects", async () => {
    const people = [1, 2].map(() => {
      const keys = new KeyStore(new Secrets());
      const creds = initAuthCreds();
      const auth = { creds, keys: addTransactionCapability(keys, silentLogger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 }) };
      return { keys, creds, repository: DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, silentLogger, async () => []) };
    });
    const [ann, bob] = people;
    if (ann === undefined || bob === undefined) throw new Error("nobody is there");
    const { signedIdentityKey, signedPreKey, registrationId } = bob.creds;
    const bundle = { keyId: signedPreKey.keyId, publicKey: generateSignalPubKey(signedPreKey.keyPair.public) };
    await ann.repository.injectE2ESession({
      jid: "2@lid",
      session: {
        registrationId,
        identityKey: generateSignalPubKey(signedIdentityKey.public),
        signedPreKey: { ...bundle, signature: signedPreKey.signature },
      },
    });
    const send = async (from: typeof ann, to: typeof ann, [author, reader]: readonly [string, string], text: string): Promise<void> => {
      const before = [await from.keys.get("session", [`${reader}_1.0`]), await to.keys.get("session", [`${author}_1.0`])];
      const copies = structuredClone(before);
      const { type, ciphertext } = await from.repository.encryptMessage({ jid: `${reader}@lid`, data: Buffer.from(text) });
      const read = await to.repository.decryptMessage({ jid: `${author}@lid`, type, ciphertext });
      expect(Buffer.from(read).toString()).toBe(text);
      expect(before).toEqual(copies);
    };
    for (const text of ["one", "two", "three"]) {
      await send(ann, bob, ["1", "2"], text);
      await send(bob, ann, ["2", "1"], text);
    }
    expect((await ann.keys.get("session", ["2_1.0"]))["2_1.0"]).toBe((await ann.keys.get("session", ["2_1.0"]))["2_1.0"]);
  });
  it("returns identity keys without decoding them again, and reads what a former version stored", async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    const key = Uint8Array.from({ length: 33 }, (_, n) => n);
    await keys.set({ "identity-key": { "1_1.0": key } });
    const kept = (await keys.get("identity-key", ["1_1.0"]))["1_1.0"];
    expect(kept).toEqual(Buffer.from(key));
    expect(kept?.buffer.byteLength).toBe(key.length);
    expect((await keys.get("identity-key", ["1_1.0"]))["1_1.0"]).toBe(kept);
    const former = { type: "Buffer", data: Buffer.from(key).toString("base64") };
    expect(JSON.parse(unpackJson(secrets.stored.get("identity-key:1_1.0") ?? Buffer.alloc(0)))).toEqual(former);
    const read = await new KeyStore(secrets).get("identity-key", ["1_1.0"]);
    expect(Buffer.compare(read["1_1.0"] ?? Buffer.alloc(0), key)).toBe(0);
  });
  it("does not believe its memory after a write that failed", async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    await keys.set({ "lid-mapping": { a: "old" } });
    secrets.fails = true;
    await expect(keys.set({ "lid-mapping": { a: "new" } })).rejects.toThrow("away");
    secrets.stored.set("lid-mapping:a", packJson(Buffer.from('"written after all"')));
    expect(await keys.get("lid-mapping", ["a"])).toEqual({ a: "written after all" });
  });
  it("forgets everything at its end, also what is being written, and takes nothing more", async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    await keys.set({ "lid-mapping": { a: "b" } });
    let respond: () => void = () => undefined;
    secrets.before = new Promise((resolve) => (respond = resolve));
    const pair = { public: Buffer.from("p"), private: Buffer.from("q") };
    const writing = keys.set({ "pre-key": { 1: pair } });
    await vi.waitFor(() => expect(secrets.begun).toBe(2));
    const ended = keys.end();
    const late = keys.set({ "pre-key": { 2: pair } });
    respond();
    await expect(late).rejects.toThrow("connection lost");
    await Promise.all([writing, ended]);
    expect(secrets.stored.size).toBe(0);
    expect(await keys.get("lid-mapping", ["a"])).toEqual({});
  });
  it("takes a key that was used up away in the write of what came with it", async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    const pair = { public: Buffer.from("p"), private: Buffer.from("q") };
    await keys.set({ "pre-key": { 1: pair, 2: pair } });
    await keys.set({ "pre-key": { 1: null }, session: { a: { chain: 1 } as never } });
    expect(secrets.writes).toHaveLength(2);
    expect(await new KeyStore(secrets).get("pre-key", ["1", "2"])).toEqual({ 2: pair });
  });
  describe("the holders of a group's key", () => {
    const group = "1@g.us";
    /** Changes the holders as the library does with each text. */
    const text = async (keys: KeyStore, devices: readonly string[]): Promise<string[]> => {
      const memory = (await keys.get("sender-key-memory", [group]))[group] ?? {};
      const without = devices.filter((device) => !memory[device]);
      for (const device of without) memory[device] = true;
      await keys.set({ "sender-key-memory": { [group]: memory } });
      return without;
    };

    it("is stored when it has changed alone, whole, and read once", async () => {
      const secrets = new Secrets();
      const keys = new KeyStore(secrets);
      expect(await text(keys, ["1@lid", "2@lid"])).toEqual(["1@lid", "2@lid"]);
      for (let n = 0; n < 3; n++) expect(await text(keys, ["1@lid", "2@lid"])).toEqual([]);
      expect(secrets.writes).toHaveLength(1);
      expect(await text(keys, ["2@lid", "3@lid"])).toEqual(["3@lid"]);
      expect(secrets.writes).toHaveLength(2);
      expect(secrets.reads).toHaveLength(1);
      const next = new KeyStore(secrets);
      expect(await text(next, ["1@lid", "2@lid", "3@lid", "4@lid"])).toEqual(["4@lid"]);
      expect(await text(new KeyStore(secrets), ["1@lid", "2@lid", "3@lid", "4@lid"])).toEqual([]);
    });
    it("gets the key again after it was cleared for all, also during a send, and stays recorded as a former holder", async () => {
      const secrets = new Secrets();
      const keys = new KeyStore(secrets);
      await text(keys, ["1@lid", "2@lid"]);
      const issued = (await keys.get("sender-key-memory", [group]))[group] ?? {};
      await keys.set({ "sender-key-memory": { [group]: null } });
      issued["3@lid"] = true;
      await keys.set({ "sender-key-memory": { [group]: issued } });
      expect(await text(new KeyStore(secrets), ["1@lid", "3@lid"])).toEqual(["1@lid"]);
      await keys.set({ "sender-key-memory": { [group]: null } });
      const next = new KeyStore(secrets);
      expect(await next.readHolders(group)).toEqual({ "1@lid": false, "2@lid": false, "3@lid": false });
    });
    it("are none after a new key, also for the first message encrypted with it", async () => {
      const secrets = new Secrets();
      const keys = new KeyStore(secrets);
      const name = `${group}::1_1::4`;
      await keys.senderKeys.encrypt(name, Buffer.from("x"));
      await text(keys, ["1@lid", "2@lid"]);
      const issued = (await keys.get("sender-key-memory", [group]))[group] ?? {};
      expect(issued["1@lid"]).toBe(true);
      const writes = secrets.writes.length;
      await keys.senderKeys.renew(name, group);
      // The holders are written together with the key, or not at all.
      expect(secrets.writes.slice(writes)).toEqual([2]);
      expect(issued["1@lid"]).toBe(false);
      issued["1@lid"] = true;
      await keys.set({ "sender-key-memory": { [group]: issued } });
      expect(await new KeyStore(secrets).readHolders(group)).toEqual({ "1@lid": true });
    });
    it("are unchanged when a new key was not stored, which then encrypts nothing", async () => {
      const secrets = new Secrets();
      const keys = new KeyStore(secrets);
      const name = `${group}::1_1::4`;
      const first = await keys.senderKeys.distribution(name);
      await text(keys, ["1@lid", "2@lid"]);
      secrets.fails = true;
      await expect(keys.senderKeys.renew(name, group)).rejects.toThrow("away");
      secrets.fails = false;
      expect(await keys.readHolders(group)).toEqual({ "1@lid": true, "2@lid": true });
      await keys.senderKeys.renew(name, group);
      expect(await keys.readHolders(group)).toEqual({});
      expect((await keys.senderKeys.distribution(name)).equals(first)).toBe(false);
    });
    it("are the devices that got the key in use after a new one was not stored", async () => {
      const secrets = new Secrets();
      const keys = new KeyStore(secrets);
      const name = `${group}::1_1::4`;
      const idOf = async (): Promise<unknown> =>
        proto.SenderKeyDistributionMessage.decode((await keys.senderKeys.distribution(name)).subarray(1)).id;
      const first = await idOf();
      await text(keys, ["1@lid", "2@lid"]);
      secrets.fails = true;
      await expect(keys.senderKeys.renew(name, group)).rejects.toThrow("away");
      secrets.fails = false;
      // The key is still the old one, so the device that left could read again.
      expect(await text(keys, ["1@lid", "2@lid"])).toEqual([]);
      expect(await idOf()).toBe(first);
    });
    it("include devices of a message whose write is in progress when a resend is requested", async () => {
      const secrets = new Secrets();
      const keys = new KeyStore(secrets);
      await text(keys, ["1@lid"]);
      let respond: () => void = () => undefined;
      secrets.before = new Promise((resolve) => (respond = resolve));
      const begun = secrets.begun;
      const writing = text(keys, ["1@lid", "2@lid"]);
      await vi.waitFor(() => expect(secrets.begun).toBe(begun + 1));
      const again = keys.set({ "sender-key-memory": { [group]: null } });
      // Any read of the second change has finished by now.
      await new Promise((resolve) => setImmediate(resolve));
      respond();
      await Promise.all([writing, again]);
      expect(await new KeyStore(secrets).readHolders(group)).toEqual({ "1@lid": false, "2@lid": false });
    });
    it("stay recorded after a status, for which the library builds its own list, also when nothing is in memory", async () => {
      const secrets = new Secrets();
      const status = "status@broadcast";
      await new KeyStore(secrets).set({ "sender-key-memory": { [status]: { "1@lid": true, "2@lid": true } } });
      await new KeyStore(secrets).set({ "sender-key-memory": { [status]: { "2@lid": true } } });
      await new KeyStore(secrets).set({ "sender-key-memory": { [status]: {} } });
      expect(await new KeyStore(secrets).readHolders(status)).toEqual({ "1@lid": false, "2@lid": false });
    });
    it("include a device that got the key outside of a message, and it still gets the key with the next message", async () => {
      const secrets = new Secrets();
      const keys = new KeyStore(secrets);
      await text(keys, ["1@lid"]);
      await keys.given(group, "2:3@lid");
      await keys.given(group, "1@lid");
      expect(await new KeyStore(secrets).readHolders(group)).toEqual({ "1@lid": true, "2:3@lid": false });
      expect(await text(keys, ["1@lid", "2:3@lid"])).toEqual(["2:3@lid"]);
    });
    it("match the store after a message whose write failed or never happened", async () => {
      const secrets = new Secrets();
      const keys = new KeyStore(secrets);
      await text(keys, ["1@lid"]);
      secrets.fails = true;
      await expect(text(keys, ["1@lid", "2@lid"])).rejects.toThrow("away");
      secrets.fails = false;
      const issued = (await keys.get("sender-key-memory", [group]))[group] ?? {};
      issued["2@lid"] = true;
      expect(await text(keys, ["1@lid", "2@lid"])).toEqual(["2@lid"]);
    });
    it("is said of devices that have no usable keys, once all that it could be given to have none, and others have it", async () => {
      const secrets = new Secrets();
      const keys = new KeyStore(secrets);
      /** Imitates a text whose encryption fails, so that nothing is written. */
      const fails = async (devices: readonly string[]): Promise<void> => {
        const issued = (await keys.get("sender-key-memory", [group]))[group] ?? {};
        for (const device of devices) issued[device] ??= true;
      };
      const keyless = (device: string): boolean => device.startsWith("9");
      expect(await keys.leaveOut(group, keyless)).toBe(0);
      await fails(["91@lid"]);
      expect(await keys.leaveOut(group, keyless)).toBe(0);
      await text(keys, ["1@lid"]);
      await fails(["1@lid", "2@lid", "91@lid"]);
      expect(await keys.leaveOut(group, keyless)).toBe(0);
      expect(await keys.readHolders(group)).toEqual({ "1@lid": true });
      await fails(["1@lid", "91@lid", "92@lid"]);
      expect(await keys.leaveOut(group, keyless)).toBe(2);
      expect(await text(new KeyStore(secrets), ["1@lid", "91@lid", "92@lid", "3@lid"])).toEqual(["3@lid"]);
    });
    it("is stored whole when it fell out of memory in between", async () => {
      const secrets = new Secrets();
      const keys = new KeyStore(secrets);
      await text(keys, ["1@lid"]);
      const issued = (await keys.get("sender-key-memory", [group]))[group] ?? {};
      const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`${n}:1@lid`, true]));
      await keys.set({ "sender-key-memory": { "2@g.us": many } });
      expect(keys.holders(group)).toBeUndefined();
      issued["2@lid"] = true;
      await keys.set({ "sender-key-memory": { [group]: issued } });
      expect(await text(new KeyStore(secrets), ["1@lid", "2@lid"])).toEqual([]);
    });
  });
});
