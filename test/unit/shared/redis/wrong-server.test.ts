import { expect, it } from "vitest";
import { wrongServer } from "../../../../shared/redis/wrong-server.js";

/** test/redis/refused.test.ts covers other problems with real servers. Servers this old are not available. */
it.each<[string, Record<string, string>, string | undefined]>([
  ["an old Redis", { redis_version: "6.0.16" }, "names a Redis 6.0.16, which is too old: use Redis 6.2 or newer, or Valkey"],
  ["one that is older still", { redis_version: "5.0.14" }, "names a Redis 5.0.14, which is too old: use Redis 6.2 or newer, or Valkey"],
  ["the oldest that will do", { redis_version: "6.2.0" }, undefined],
  ["a newer one", { redis_version: "8.0.2" }, undefined],
  ["Valkey", { redis_version: "7.2.4", valkey_version: "8.1.1" }, undefined],
  ["one that does not say", {}, undefined],
  [
    "a Sentinel of Valkey",
    { redis_version: "7.2.4", server_mode: "sentinel" },
    "names a Sentinel: write redis+sentinel://host:port,host:port/name",
  ],
])("%s", (_, info, why) => {
  expect(wrongServer(info, "server", "coordination")?.why).toBe(why);
  if (why !== undefined) expect(wrongServer(info, "server", "coordination")?.mayPass).toBe(false);
});
