import { describe, expect, it } from "vitest";
import { parseRedisAddress, placeOf, serversOf } from "../../../../shared/redis/address.js";

const at = (host: string, port: number): { host: string; port: number } => ({ host, port });

describe("parseRedisAddress", () => {
  it.each<[string, unknown]>([
    ["/run/redis.sock", { kind: "socket", path: "/run/redis.sock", access: {} }],
    ["redis://cache", { kind: "server", server: at("cache", 6379), database: 0, access: {} }],
    ["redis://127.0.0.1:7000/3", { kind: "server", server: at("127.0.0.1", 7000), database: 3, access: {} }],
    ["redis://[::1]:7000/", { kind: "server", server: at("::1", 7000), database: 0, access: {} }],
    ["rediss://h", { kind: "server", server: at("h", 6379), database: 0, access: { tls: {} } }],
    ["redis://:secret@h", { kind: "server", server: at("h", 6379), database: 0, access: { password: "secret" } }],
    ["redis://shard:a%3Ab%40c@h", { kind: "server", server: at("h", 6379), database: 0, access: { username: "shard", password: "a:b@c" } }],
    ["redis://shard:a@/b@h", { kind: "server", server: at("h", 6379), database: 0, access: { username: "shard", password: "a@/b" } }],
    [
      "redis+sentinel://a,b:1/main",
      { kind: "sentinel", sentinels: [at("a", 26_379), at("b", 1)], master: "main", database: 0, access: {} },
    ],
    [
      "rediss-sentinel://u:p@a/main/2",
      { kind: "sentinel", sentinels: [at("a", 26_379)], master: "main", database: 2, access: { username: "u", password: "p", tls: {} } },
    ],
    ["redis+cluster://a:1, b:2", { kind: "cluster", nodes: [at("a", 1), at("b", 2)], access: {} }],
    ["rediss+cluster://u:p@a/0", { kind: "cluster", nodes: [at("a", 6379)], access: { username: "u", password: "p", tls: {} } }],
  ])("reads %s", (text, address) => {
    expect(parseRedisAddress(text)).toEqual(address);
  });

  it.each([
    ["", "must be redis://"],
    ["http://secret", "must be redis://"],
    ["redis://h?db=secret", "must be redis://"],
    ["redis+ring://secret", "must be redis://"],
    ["redis://", "names no host"],
    ["redis://h:secret", "names no host"],
    ["redis+cluster://secret,,b", "names no host"],
    ["redis://h:70000", "a port that is none"],
    ["redis://h/secret", "no number of a database"],
    ["redis://secret,b", "names several hosts"],
    ["redis+sentinel://secret", "the name that the Sentinels have"],
    ["redis+sentinel://a/main/1/secret", "the name that the Sentinels have"],
    ["redis+cluster://secret/3", "has none but 0"],
    ["redis://u:secret%@h", "a % in its user or password"],
  ])("refuses %j with one sentence that shows nothing of it", (text, sentence) => {
    const refused = (): unknown => parseRedisAddress(text);
    expect(refused).toThrow(sentence);
    expect(refused).not.toThrow("secret");
  });
});

it.each([
  ["/run/redis.sock", "/run/redis.sock", 0],
  ["redis://u:secret@[::1]:7", "[::1]:7", 1],
  ["redis+sentinel://u:secret@a,b:1/main", "main of the Sentinels at a:26379, b:1", 2],
  ["redis+cluster://u:secret@a,b:1", "the cluster at a:6379, b:1", 2],
])("says for people where %s is, without its password", (text, place, servers) => {
  const address = parseRedisAddress(text);
  expect(placeOf(address)).toBe(place);
  expect(serversOf(address)).toHaveLength(servers);
});
