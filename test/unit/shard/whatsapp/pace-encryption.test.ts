import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Client } from "../../../../shard/whatsapp/client.js";
import { paceEncryption } from "../../../../shard/whatsapp/status/pace-encryption.js";

type Repository = Client["sock"]["signalRepository"];

/** A repository that says how many copies it is asked for at once; numbers that end in 7 cannot be encrypted. */
function aRepository() {
  const seen = { running: 0, most: 0 };
  const repository = {
    encryptMessage: async ({ jid }: { jid: string }) => {
      seen.most = Math.max(seen.most, ++seen.running);
      await turn();
      seen.running -= 1;
      if (jid.endsWith("7")) throw new Error("no session");
      return { type: "msg" as const, ciphertext: Buffer.from(jid) };
    },
  };
  return { repository: repository as unknown as Repository, seen };
}

describe("encryption of a status's copies", () => {
  it("goes on a few at a time, whatever fails, and leaves none out", async () => {
    const { repository, seen } = aRepository();
    const client = { sock: { signalRepository: repository } } as Pick<Client, "sock">;
    paceEncryption(client);
    // Once more changes nothing: else each status would go through one more door.
    const paced = repository.encryptMessage;
    paceEncryption(client);
    expect(repository.encryptMessage).toBe(paced);
    const copies = await Promise.allSettled(
      Array.from({ length: 1_000 }, (_, n) => repository.encryptMessage({ jid: String(n), data: Buffer.alloc(1) })),
    );
    expect(copies.map((copy) => (copy.status === "fulfilled" ? Buffer.from(copy.value.ciphertext).toString() : "failed"))).toEqual(
      Array.from({ length: 1_000 }, (_, n) => (n % 10 === 7 ? "failed" : String(n))),
    );
    expect(seen.most).toBe(64);
  });

  it("lets the event loop have its turn in between", async () => {
    const burn = (): void => {
      for (const endsAt = performance.now() + 1; performance.now() < endsAt; );
    };
    // As the library does when it finds all keys in memory: promises, and never a real wait.
    const repository = {
      encryptMessage: async () => (burn(), { type: "msg" as const, ciphertext: Buffer.alloc(0) }),
    } as unknown as Repository;
    paceEncryption({ sock: { signalRepository: repository } } as Pick<Client, "sock">);
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    await Promise.all(Array.from({ length: 300 }, (_, n) => repository.encryptMessage({ jid: String(n), data: Buffer.alloc(1) })));
    clearInterval(counting);
    expect(turns).toBeGreaterThan(3);
  });
});
