import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setImmediate as turn } from "node:timers/promises";
import { ProtocolAddress, SessionCipher } from "libsignal";
import { expect, it } from "vitest";
import { keepCallersContext } from "../../../../shard/whatsapp/keys/signal-queue.js";

interface Queued {
  queueJob<T>(job: () => Promise<T>): Promise<T>;
}

const cipher = (): Queued => new SessionCipher({} as never, new ProtocolAddress("15550000001", 0)) as unknown as Queued;

it("runs the jobs of two accounts with the same contact in their own contexts, one after the other", async () => {
  keepCallersContext();
  const account = new AsyncLocalStorage<string>();
  const order: string[] = [];
  const job = async (): Promise<string | undefined> => {
    order.push("begin");
    await turn();
    order.push("end");
    return account.getStore();
  };
  const found = await Promise.all(["alice", "bob", "carol"].map((name) => account.run(name, () => cipher().queueJob(job))));
  expect(found).toEqual(["alice", "bob", "carol"]);
  expect(order).toEqual(["begin", "end", "begin", "end", "begin", "end"]);
});

it("the library still has one queue for all accounts: without that, drop signal-queue.ts", () => {
  const source = (file: string): string => readFileSync(createRequire(import.meta.url).resolve(`libsignal/src/${file}`), "utf8");
  expect(source("queue_job.js")).toMatch(/^const _queueAsyncBuckets = new Map\(\);$/m);
  expect(source("session_cipher.js")).toContain("return await queueJob(this.addr.toString(), awaitable);");
});
