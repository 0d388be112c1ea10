import { expect, test } from "vitest";
import type { Client } from "../../../../shard/telegram/client.js";
import { PhoneDirectory } from "../../../../shard/telegram/phone-directory.js";
import { PeerStore } from "../../../../shard/telegram/peers.js";
import { silentLog } from "../../../../shared/log/logger.js";

const map = {
  get: async () => undefined,
  getMany: async () => [],
  values: async () => [],
  setMany: async () => undefined,
  clear: async () => undefined,
};

test("sixteen numbers wait for their turn, one more is refused, and waiting ends with its signal", async () => {
  const phones = new PhoneDirectory(new PeerStore(map, silentLog), (digits) => digits, 3_600_000);
  const ends = Array.from({ length: 17 }, () => new AbortController());
  const silent = { invoke: () => new Promise<never>(() => undefined) };
  // The test only uses its `invoke`. The first lookup never ends, and the next ones must wait an hour.
  const client = silent as unknown as Client;
  const settled: Promise<string>[] = [];
  for (const [n, { signal }] of ends.entries())
    settled.push(
      phones.find(client, `4915100000${n}`, { signal }).then(
        () => "found",
        (error: unknown) => (error instanceof Error ? error.message : ""),
      ),
    );
  expect(await settled[16]).toBe("server busy");
  for (const end of ends) end.abort(new Error("over"));
  expect(await Promise.all(settled.slice(1, 16))).toEqual(Array.from({ length: 15 }, () => "over"));
});
