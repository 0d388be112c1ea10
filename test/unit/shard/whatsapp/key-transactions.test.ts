import { setImmediate as turn } from "node:timers/promises";
import type { SignalDataSet } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import type { EventKeyStore } from "../../../../shard/whatsapp/keys/connection-keys.js";
import { KeyTransactions } from "../../../../shard/whatsapp/keys/key-transactions.js";
import { EndlessAppState } from "../../../../shard/whatsapp/keys/resync-rounds.js";

const session = (id: string): SignalDataSet => ({ session: { [id]: new TextEncoder().encode(id) } });

describe("a transaction", () => {
  it("is one write, reads its own changes, and is kept apart from another account's", async () => {
    const [left, right] = [recordingStore(), recordingStore()];
    const write = (keys: KeyTransactions, name: string): Promise<void> =>
      keys.transaction(async () => {
        for (const id of ["1", "2", "3"]) {
          await turn();
          await keys.set({ "lid-mapping": { [id]: name } });
        }
        expect(await keys.get("lid-mapping", ["2"])).toEqual({ 2: name });
      }, "key");
    await Promise.all([
      write(left.keys, "left"),
      write(right.keys, "right"),
      // Queues that two accounts share start one account's work in the context of the other's.
      left.keys.transaction(() => write(right.keys, "started by left"), "other"),
    ]);
    expect(left.writes).toEqual([{ "lid-mapping": { 1: "left", 2: "left", 3: "left" } }]);
    expect(right.writes).toEqual([
      { "lid-mapping": { 1: "right", 2: "right", 3: "right" } },
      { "lid-mapping": { 1: "started by left", 2: "started by left", 3: "started by left" } },
    ]);
    expect([left.keys.isInTransaction(), right.keys.isInTransaction()]).toEqual([false, false]);
  });

  it("contains those that are started within it, and waits for others of its name alone", async () => {
    const { keys, writes } = recordingStore();
    const order: string[] = [];
    const inner = (name: string): Promise<void> =>
      keys.transaction(async () => {
        order.push(name);
        await keys.set(session(name));
      }, "a");
    const outer = keys.transaction(async () => {
      await inner("nested");
      await turn();
      order.push("outer");
    }, "a");
    await Promise.all([outer, inner("waits"), keys.transaction(async () => void order.push("other"), "b")]);
    expect(order).toEqual(["nested", "other", "outer", "waits"]);
    expect(writes).toEqual([session("nested"), session("waits")]);
  });

  it("stores nothing when its work fails", async () => {
    const { keys, writes } = recordingStore();
    const failing = keys.transaction(async () => {
      await keys.set(session("1"));
      throw new Error("from within");
    }, "key");
    await expect(failing).rejects.toThrow("from within");
    await keys.set(session("2"));
    expect(writes).toEqual([session("2")]);
  });

  it("reads deleted values as absent, and reads each value from the store once", async () => {
    const { keys, reads } = recordingStore({ 1: "stored", 2: "stored" });
    await keys.transaction(async () => {
      await keys.set({ "lid-mapping": { 1: null } });
      for (let n = 0; n < 2; n++) expect(await keys.get("lid-mapping", ["1", "2"])).toEqual({ 2: "stored" });
    }, "key");
    expect(reads).toEqual([["2"]]);
  });

  it("is stored with what is written while it is stored, and loses nothing that is written behind its end", async () => {
    const { keys, writes } = recordingStore();
    const behind: Promise<void>[] = [];
    await keys.transaction(async () => {
      await keys.set({ "lid-mapping": { 1: "within" } });
      behind.push(turn().then(() => keys.set({ "lid-mapping": { 2: "behind" } })));
      // The first write runs during these microtasks.
      let meanwhile = Promise.resolve();
      for (let n = 0; n < 3; n++) meanwhile = meanwhile.then(() => undefined);
      behind.push(meanwhile.then(() => keys.set({ "lid-mapping": { 3: "meanwhile" } })));
    }, "key");
    await Promise.all(behind);
    expect(Object.assign({}, ...writes.map((data) => data["lid-mapping"]))).toEqual({ 1: "within", 2: "behind", 3: "meanwhile" });
  });

  it("is written again once when the store fails", async () => {
    const { keys, writes, failures } = recordingStore();
    failures.push(new Error("redis is away"));
    await keys.transaction(() => keys.set(session("1")), "key");
    failures.push(new Error("redis is away"), new Error("redis is still away"));
    await expect(keys.transaction(() => keys.set(session("2")), "key")).rejects.toThrow("redis is still away");
    expect(writes).toEqual([session("1")]);
  });

  it("ends a reading of the app state that makes no progress", async () => {
    const { keys } = recordingStore();
    const reading = keys.transaction(async () => {
      for (;;) await keys.get("app-state-sync-version", ["regular"]);
    }, "reading");
    await expect(reading).rejects.toBeInstanceOf(EndlessAppState);
  });
});

describe("a send", () => {
  it("has no transaction, waits for others of its name, and stores at once what it changes", async () => {
    const { keys, writes } = recordingStore();
    const order: string[] = [];
    const library = async (name: string): Promise<void> => {
      await keys.transaction(async () => {
        order.push(name);
        expect(keys.isInTransaction()).toBe(false);
        await turn();
        await keys.set({ tctoken: { [name]: { token: Buffer.of(1) } } });
        order.push(`${name} wrote ${writes.length}`);
      }, "own");
    };
    const first = keys.sending(() => library("1"));
    const second = keys.sending(() => library("2"));
    await Promise.all([first, second]);
    expect(order).toEqual(["1", "1 wrote 1", "2", "2 wrote 2"]);
  });

  it("writes again once when the store fails, as a transaction does", async () => {
    const { keys, writes, failures } = recordingStore();
    const send = (id: string): Promise<void> => keys.sending(() => keys.transaction(() => keys.set(session(id)), "own"));
    failures.push(new Error("redis is away"));
    await send("1");
    failures.push(new Error("redis is away"), new Error("redis is still away"));
    await expect(send("2")).rejects.toThrow("redis is still away");
    expect(writes).toEqual([session("1")]);
  });

  it("is the one that was started, and no transaction that follows in the same turn", async () => {
    const { keys } = recordingStore();
    const found: boolean[] = [];
    const look = async (): Promise<void> => void found.push(keys.isInTransaction());
    await Promise.all([
      keys.sending(() => keys.transaction(look, "own")),
      keys.transaction(look, "other"),
      keys.sending(() => Promise.resolve()),
      keys.transaction(look, "third"),
    ]);
    expect(found).toEqual([false, true, true]);
  });
});

it("promises visit no async storage once no transaction is open, as before the first one", async () => {
  const { keys } = recordingStore();
  const before = visitsStorage();
  await Promise.all([keys.transaction(turn, "a"), keys.transaction(() => keys.transaction(turn, "c"), "b")]);
  await turn();
  expect(visitsStorage()).toBe(before);
});

describe("events", () => {
  it("are stored by themselves, in their order, also from within a transaction", async () => {
    const { keys, writes, events } = recordingStore();
    const event = (id: string) => ({ id, type: "message.new", created: "", data: {} });
    await keys.transaction(() => keys.append([event("e1")]), "sender");
    await Promise.all([keys.append([event("e2")]), keys.append([event("e3")])]);
    expect([writes, events]).toEqual([
      [{}, {}, {}],
      [["e1"], ["e2"], ["e3"]],
    ]);
  });

  it("that cannot be stored are reported", async () => {
    const { keys, events, failures } = recordingStore();
    failures.push(new Error("redis is away"));
    await expect(keys.append([{ id: "e1", type: "message.new", created: "", data: {} }])).rejects.toThrow("redis is away");
    expect(events).toEqual([]);
  });
});

/** True while Node passes an async storage on to each promise. */
function visitsStorage(): boolean {
  return Object.getOwnPropertySymbols(Promise.resolve()).some(({ description }) => description === "kResourceStore");
}

function recordingStore(stored: Record<string, string> = {}) {
  const writes: SignalDataSet[] = [];
  /** Ids of the events of each write. */
  const events: string[][] = [];
  const reads: string[][] = [];
  const failures: Error[] = [];
  const store: EventKeyStore = {
    get: async (_, ids) => {
      reads.push(ids);
      return Object.fromEntries(ids.flatMap((id) => (stored[id] === undefined ? [] : [[id, stored[id]]]))) as never;
    },
    set: async (data, appended = []) => {
      await Promise.resolve();
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      writes.push(structuredClone(data));
      if (appended.length > 0) events.push(appended.map(({ id }) => id));
    },
  };
  return { keys: new KeyTransactions(store), writes, events, reads, failures };
}
