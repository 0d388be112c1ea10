import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { queryObjects } from "node:v8";
import { addTransactionCapability, type SignalDataSet, type SignalKeyStore } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { SharedAsyncStorage, withSharedStorage } from "../../../../shard/whatsapp/network/shared-async-storage.js";
import { silentLogger } from "../../../../shard/whatsapp/network/silent-logger.js";

describe("SharedAsyncStorage", () => {
  it("keeps the values of nested storages apart, and gives the outer one back", async () => {
    const [a, b] = [new SharedAsyncStorage<string>(), new SharedAsyncStorage<string>()];
    expect([a.getStore(), b.getStore()]).toEqual([undefined, undefined]);
    await a.run("a1", async () => {
      await turn();
      await b.run("b1", async () => {
        await turn();
        expect([a.getStore(), b.getStore()]).toEqual(["a1", "b1"]);
        await a.run("a2", async () => {
          await turn();
          expect([a.getStore(), b.getStore()]).toEqual(["a2", "b1"]);
        });
        expect([a.getStore(), b.getStore()]).toEqual(["a1", "b1"]);
      });
      expect([a.getStore(), b.getStore()]).toEqual(["a1", undefined]);
    });
    expect([a.getStore(), b.getStore()]).toEqual([undefined, undefined]);
  });

  it("keeps runs apart that go on at the same time", async () => {
    const storage = new SharedAsyncStorage<number>();
    const seen = await Promise.all(
      Array.from({ length: 50 }, (_, value) =>
        storage.run(value, async () => {
          for (let turns = 0; turns < value % 7; turns += 1) await turn();
          return storage.getStore();
        }),
      ),
    );
    expect(seen).toEqual(Array.from({ length: 50 }, (_, value) => value));
  });

  it("follows timers and listeners as a real one, and passes arguments and errors on", async () => {
    const storage = new SharedAsyncStorage<string>();
    const told = storage.run("timer", () => new Promise((resolve) => setTimeout(() => resolve(storage.getStore()), 1)));
    expect(await told).toBe("timer");
    expect(storage.run("x", (left: number, right: number) => left + right, 2, 3)).toBe(5);
    expect(() =>
      storage.run("x", () => {
        throw new Error("from within");
      }),
    ).toThrow("from within");
    expect(storage.getStore()).toBeUndefined();
  });

  it("holds one value for each storage in a context, however often it is entered from within itself", async () => {
    class Held {
      readonly isHeld = true;
    }
    const [a, b] = [new SharedAsyncStorage<Held>(), new SharedAsyncStorage<Held>()];
    // Each step starts from the context of the one before, on a stack of its own: only the context can still hold what earlier steps entered.
    const held = await new Promise<number>((resolve) => {
      const deeper = (left: number): void => {
        if (left === 0) resolve(alive(Held));
        else a.run(new Held(), () => b.run(new Held(), () => void setImmediate(deeper, left - 1)));
      };
      deeper(500);
    });
    expect(held).toBe(2);
  });

  it("is over once its work has settled, also for what goes on behind that", async () => {
    const storage = new SharedAsyncStorage<string>();
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const seen: (string | undefined)[] = [];
    let behind: Promise<void> | undefined;
    await storage.run("a", async () => {
      behind = begun.then(() => void seen.push(storage.getStore()));
      seen.push(storage.getStore());
      await turn();
    });
    begin();
    await behind;
    await storage
      .run("b", async () => {
        behind = turn(undefined).then(() => void seen.push(storage.getStore()));
        throw new Error("from within");
      })
      .catch(() => undefined);
    await behind;
    expect(seen).toEqual(["a", undefined, undefined]);
  });

  it("costs the process one real storage, however many there are", () => {
    const before = new SharedAsyncStorage<number>().run(1, realStorages);
    const deep = Array.from({ length: 100 }, () => new SharedAsyncStorage<number>()).reduce(
      (inner, storage) => () => storage.run(1, inner),
      realStorages,
    )();
    expect(deep).toBe(before);
    expect(new AsyncLocalStorage<number>().run(1, realStorages)).toBe(before + 1);
  });

  it("refuses what it cannot do", () => {
    const storage = new SharedAsyncStorage<number>();
    for (const call of [() => storage.enterWith(), () => storage.exit(), () => storage.disable()])
      expect(call).toThrow("run and getStore only");
  });
});

describe("withSharedStorage", () => {
  it("gives the class to what it calls and to nobody afterwards", () => {
    expect(withSharedStorage(() => new AsyncLocalStorage())).toBeInstanceOf(SharedAsyncStorage);
    expect(new AsyncLocalStorage()).not.toBeInstanceOf(SharedAsyncStorage);
    expect(() =>
      withSharedStorage(() => {
        throw new Error("from within");
      }),
    ).toThrow("from within");
    expect(new AsyncLocalStorage()).not.toBeInstanceOf(SharedAsyncStorage);
  });

  it("carries the library's transactions: one write each, own reads seen within, no mixing between two accounts", async () => {
    const [left, right] = [recordingStore(), recordingStore()];
    const [leftKeys, rightKeys] = withSharedStorage(() =>
      [left, right].map(({ keys }) => addTransactionCapability(keys, silentLogger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 })),
    );
    if (leftKeys === undefined || rightKeys === undefined) throw new Error("two stores were built");
    const write = (keys: typeof leftKeys, name: string): Promise<void> =>
      keys.transaction(async () => {
        for (const id of ["1", "2", "3"]) {
          await turn();
          await keys.set({ "lid-mapping": { [id]: name } });
        }
        expect(await keys.get("lid-mapping", ["2"])).toEqual({ 2: name });
      }, "key");
    await Promise.all([
      write(leftKeys, "left"),
      write(rightKeys, "right"),
      // One account's work that is started by another's, as it happens in queues that both share.
      leftKeys.transaction(() => write(rightKeys, "started by left"), "other"),
    ]);
    expect(left.writes).toEqual([{ "lid-mapping": { 1: "left", 2: "left", 3: "left" } }]);
    expect(right.writes).toEqual([
      { "lid-mapping": { 1: "right", 2: "right", 3: "right" } },
      { "lid-mapping": { 1: "started by left", 2: "started by left", 3: "started by left" } },
    ]);
    expect([leftKeys.isInTransaction(), rightKeys.isInTransaction()]).toEqual([false, false]);
  });

  it("loses nothing that the library writes behind a transaction in which it was begun", async () => {
    const { keys, writes } = recordingStore();
    const transactional = withSharedStorage(() =>
      addTransactionCapability(keys, silentLogger, { maxCommitRetries: 1, delayBetweenTriesMs: 1 }),
    );
    let behind: Promise<void> | undefined;
    await transactional.transaction(async () => {
      await transactional.set({ "lid-mapping": { 1: "within" } });
      behind = turn().then(() => transactional.set({ "lid-mapping": { 2: "behind" } }));
    }, "key");
    await behind;
    expect(writes).toEqual([{ "lid-mapping": { 1: "within" } }, { "lid-mapping": { 2: "behind" } }]);
  });
});

/** Storages that Node itself keeps. */
function realStorages(): number {
  return alive(AsyncLocalStorage);
}

/** Objects of a class that something still holds: the count collects what nothing does. (Where a context keeps its values differs between Node 20, 22 and 24.) */
function alive(of: new () => object): number {
  return queryObjects(of, { format: "count" });
}

function recordingStore(): { keys: SignalKeyStore; writes: SignalDataSet[] } {
  const writes: SignalDataSet[] = [];
  const keys: SignalKeyStore = { get: async () => ({}), set: async (data) => void writes.push(structuredClone(data)) };
  return { keys, writes };
}
