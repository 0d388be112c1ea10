import { setImmediate as turn } from "node:timers/promises";
import type { SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { paceEncryption } from "../../../../shard/whatsapp/network/pace-encryption.js";

type Repository = Pick<SignalRepositoryWithLIDStore, "encryptMessage" | "injectE2ESession">;
type Device = Parameters<Repository["injectE2ESession"]>[0];

/** A repository that counts simultaneous encryptions. It cannot encrypt for numbers that end in 7. */
function aRepository() {
  const seen = { running: 0, most: 0 };
  const repository: Repository = {
    encryptMessage: async ({ jid }) => {
      seen.most = Math.max(seen.most, ++seen.running);
      await turn();
      seen.running -= 1;
      if (jid.endsWith("7")) throw new Error("no session");
      return { type: "msg" as const, ciphertext: Buffer.from(jid) };
    },
    injectE2ESession: async () => undefined,
  };
  return { repository, seen };
}

/** Imitates the library when all keys are in memory: promises without any real wait. */
const busyRepository: Repository = {
  encryptMessage: async () => (burn(), { type: "msg" as const, ciphertext: Buffer.alloc(0) }),
  injectE2ESession: async () => burn(),
};

function burn(): void {
  for (const endsAt = performance.now() + 1; performance.now() < endsAt; );
}

async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, over] = [0, false];
  const counting = (async (): Promise<void> => {
    while (!over) {
      await turn();
      turns += 1;
    }
  })();
  await work();
  over = true;
  await counting;
  return turns;
}

const copies = (repository: Repository, count: number) =>
  Promise.allSettled(Array.from({ length: count }, (_, n) => repository.encryptMessage({ jid: String(n), data: Buffer.alloc(1) })));

describe("encryption for many", () => {
  it("goes on a few at a time, whatever fails, and leaves none out", async () => {
    const { repository, seen } = aRepository();
    const done = await copies(paceEncryption(repository), 1_000);
    expect(done.map((copy) => (copy.status === "fulfilled" ? Buffer.from(copy.value.ciphertext).toString() : "failed"))).toEqual(
      Array.from({ length: 1_000 }, (_, n) => (n % 10 === 7 ? "failed" : String(n))),
    );
    expect(seen.most).toBe(64);
  });

  it("lets the event loop have its turn in between", async () => {
    const repository = paceEncryption({ ...busyRepository });
    // 300 ms of work in slices of 4 ms; one copy may take longer than a slice.
    expect(await turnsDuring(() => copies(repository, 300))).toBeGreaterThan(25);
  });

  it("lets it have its turn between devices that keys are agreed on with, one after the other", async () => {
    const repository = paceEncryption({ ...busyRepository });
    const turns = await turnsDuring(async () => {
      for (let n = 0; n < 100; n++) await repository.injectE2ESession({ jid: String(n) } as Device);
    });
    expect(turns).toBeGreaterThan(8);
  });

  it("reports why the key agreement failed", async () => {
    const repository = paceEncryption<Repository>({ ...busyRepository, injectE2ESession: async () => Promise.reject(new Error("forged")) });
    await expect(repository.injectE2ESession({ jid: "1" } as Device)).rejects.toThrow("forged");
  });
});
