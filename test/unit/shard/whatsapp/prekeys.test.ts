import { beforeEach, describe, expect, it } from "vitest";
import { x25519KeyPair } from "../../../../shard/whatsapp/network/x25519.js";
import { toJsonBytes } from "../../../../shard/whatsapp/keys/json-bytes.js";
import { packJson } from "../../../../shard/whatsapp/keys/packed-json.js";
import { decodeTrees } from "../../../../shard/whatsapp/keys/prekey-tree.js";
import { Prekeys, type Changes } from "../../../../shard/whatsapp/keys/prekeys.js";

/** A store whose writes or replies can be lost. */
class Stored {
  readonly fields = new Map<string, Buffer>();
  writes = 0;
  /** How the next writes fail: `before` writes nothing, `behind` writes and then fails, as when a process dies after the write. */
  fails: "before" | "behind" | undefined;
  getMany = async (fields: readonly string[]): Promise<(Buffer | undefined)[]> => fields.map((field) => this.fields.get(field));
  apply = async (changes: ReadonlyMap<string, Buffer | undefined>): Promise<void> => {
    if (this.fails === "before") throw new Error("redis is away");
    this.writes += 1;
    for (const [field, value] of changes) {
      if (value === undefined) this.fields.delete(field);
      else this.fields.set(field, value);
    }
    if (this.fails === "behind") throw new Error("redis is away");
  };
}

let stored: Stored;
beforeEach(() => (stored = new Stored()));
const prekeys = (): Prekeys => new Prekeys(stored);
const fresh = () => ({ nextPreKeyId: 1, firstUnuploadedPreKeyId: 1 });
const names = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, n) => String(from + n));
const remove = (keys: Prekeys, ...ids: string[]): Promise<void> => keys.remove(ids, (changes) => stored.apply(changes));
/** Converts keys to hexadecimal: comparing thousands of bytes one by one takes seconds. */
const inHex = (pairs: Readonly<Record<string, object>>) =>
  Object.fromEntries(
    Object.entries(pairs).map(([id, pair]) => [
      id,
      Object.entries(pair).map(([name, key]: [string, Uint8Array]) => `${name} ${Buffer.from(key).toString("hex")}`),
    ]),
  );
/** Stores keys as the library makes them beside ours. */
const ofLibrary = (from: number, to: number) => {
  const pairs = Object.fromEntries(names(from, to).map((id) => [id, x25519KeyPair()]));
  for (const [id, pair] of Object.entries(pairs)) stored.fields.set(`pre-key:${id}`, packJson(toJsonBytes(pair)));
  return pairs;
};

describe("prekeys of a new login", () => {
  it("are created before any is uploaded, as many as the platform may request, in about 40 bytes", async () => {
    const creds = fresh();
    expect(await prekeys().reserve(creds)).toBe(true);
    expect(creds).toEqual({ nextPreKeyId: 1_025, firstUnuploadedPreKeyId: 1 });
    const given = await prekeys().get(names(1, 812));
    expect(Object.keys(given)).toHaveLength(812);
    // Another owner gets the same keys.
    expect(inHex(await prekeys().get(names(1, 812)))).toEqual(inHex(given));
    expect([...stored.fields.values()].map(({ length }) => length)).toEqual([43]);
  });

  it("are the same for a device whose owner died between storing them and its credentials", async () => {
    await prekeys().reserve(fresh());
    const [before, creds] = [await prekeys().get(["1"]), fresh()];
    expect(await prekeys().reserve(creds)).toBe(true);
    expect(creds.nextPreKeyId).toBe(1_025);
    expect(await prekeys().get(["1"])).toEqual(before);
    expect(stored.writes).toBe(1);
  });

  it("are more when many were given away, and none when enough are left", async () => {
    const creds = { nextPreKeyId: 1_025, firstUnuploadedPreKeyId: 213 };
    await prekeys().reserve(fresh());
    expect(await prekeys().reserve(creds)).toBe(false);
    creds.firstUnuploadedPreKeyId = 214;
    expect(await prekeys().reserve(creds)).toBe(true);
    expect(creds.nextPreKeyId).toBe(2_049);
    expect(Object.keys(await prekeys().get(["1", "1024", "1025", "2048", "2049"]))).toEqual(["1", "1024", "1025", "2048"]);
  });

  it("are not there when they could not be stored", async () => {
    const creds = fresh();
    stored.fails = "before";
    await expect(prekeys().reserve(creds)).rejects.toThrow("away");
    expect(creds.nextPreKeyId).toBe(1);
  });

  it("are all remembered, although some were read while others were made", async () => {
    await prekeys().reserve(fresh());
    const keys = prekeys();
    const { getMany } = stored;
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    stored.getMany = async (fields) => {
      stored.getMany = getMany;
      const found = await getMany(fields);
      await gate;
      return found;
    };
    const reading = keys.get(["1"]);
    const reserving = keys.reserve({ nextPreKeyId: 1_025, firstUnuploadedPreKeyId: 813 });
    // Both calls get as far as they can without the reply to the first read.
    await new Promise((resolve) => setImmediate(resolve));
    open();
    await Promise.all([reading, reserving]);
    await remove(keys, "1");
    expect(Object.keys(await prekeys().get(["1", "2", "1025"]))).toEqual(["2", "1025"]);
  });
});

describe("a prekey that was used", () => {
  it("is gone with the write of what came with it, for every owner, and cannot be made again of what is stored", async () => {
    const keys = prekeys();
    await keys.reserve(fresh());
    const before = await keys.get(names(1, 20));
    const session = new Map([["session:a", Buffer.from("s")]]);
    await keys.remove(["7"], (changes: Changes) => stored.apply(new Map([...session, ...changes])));
    expect(stored.fields.get("session:a")?.toString()).toBe("s");
    const { 7: used, ...others } = before;
    expect(used).toBeDefined();
    for (const owner of [keys, prekeys()]) expect(await owner.get(names(1, 20))).toEqual(others);
    const [tree] = decodeTrees(stored.fields.get("pre-key-trees") ?? Buffer.alloc(0));
    expect(tree?.seeds.some(({ depth, index }) => 6 >> (10 - depth) === index)).toBe(false);
  });

  it("remains when nothing was written, and is removed when only the response was lost", async () => {
    const keys = prekeys();
    await keys.reserve(fresh());
    stored.fails = "before";
    await expect(remove(keys, "7")).rejects.toThrow("away");
    expect(Object.keys(await keys.get(["7"]))).toEqual(["7"]);
    stored.fails = "behind";
    await expect(remove(keys, "7")).rejects.toThrow("away");
    expect(await keys.get(["7"])).toEqual({});
  });

  it("takes no other one's removal back, however many are used at once", async () => {
    const keys = prekeys();
    await keys.reserve(fresh());
    await Promise.all(names(1, 30).map((id) => remove(keys, id)));
    expect(Object.keys(await prekeys().get(names(1, 40)))).toEqual(names(31, 40));
  });
});

describe("prekeys that the library made", () => {
  it("are used one by one, and beside trees, where there is no room left in them", async () => {
    await prekeys().reserve(fresh());
    const pairs = ofLibrary(1_025, 1_026);
    expect(await prekeys().get(["1025", "1026"])).toEqual(pairs);
    await remove(prekeys(), "1025");
    expect(await prekeys().get(["1025", "1026"])).toEqual({ 1026: pairs["1026"] });
  });
});
