import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ConfigError, EnvReader } from "../../../../shared/config/env.js";
import { readRedisSettings, type RedisSettings } from "../../../../shared/redis/settings.js";

const pem = (text: string): string => `-----BEGIN ${text}-----`;

function read(environment: Record<string, string>): RedisSettings {
  const env = new EnvReader(environment);
  const settings = readRedisSettings(env);
  env.finish();
  return settings;
}

function problems(environment: Record<string, string>): readonly string[] {
  try {
    read(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}

it("knows one Redis on this host when nothing is set, which is both", () => {
  const { coordination, cache } = read({});
  expect(coordination).toMatchObject({ kind: "server", server: { host: "127.0.0.1", port: 6379 } });
  expect(cache).toBe(coordination);
});

it("takes one for both where both settings name the same", () => {
  const { coordination, cache } = read({ REDIS_URL: "redis://a", REDIS_CACHE_URL: "redis://a", REDIS_PASSWORD: "p" });
  expect(cache).toBe(coordination);
});

it("reads users and passwords beside the address, from files too, and gives none to the other server", () => {
  const folder = mkdtempSync(join(tmpdir(), "tl-settings-"));
  try {
    writeFileSync(join(folder, "password"), "from a file\n");
    const { coordination, cache } = read({
      REDIS_URL: "redis+sentinel://a,b/main",
      REDIS_USERNAME: "shard",
      REDIS_PASSWORD_FILE: join(folder, "password"),
      REDIS_SENTINEL_PASSWORD: "watch",
      REDIS_CACHE_URL: "redis+sentinel://c/cache",
    });
    expect(coordination).toMatchObject({
      setting: "REDIS_URL",
      access: { username: "shard", password: "from a file", sentinel: { password: "watch" } },
    });
    expect(cache.setting).toBe("REDIS_CACHE_URL");
    expect(cache.access).toEqual({ sentinel: { password: "watch" } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("gives certificates to each address with TLS", () => {
  const { coordination, cache } = read({
    REDIS_URL: "rediss://a",
    REDIS_CACHE_URL: "rediss+cluster://b",
    REDIS_TLS_CA: pem("CA"),
    REDIS_TLS_CERT: pem("CERT"),
    REDIS_TLS_KEY: pem("KEY"),
    REDIS_CACHE_TLS_CA: pem("OTHER CA"),
  });
  expect(coordination.access.tls).toEqual({ ca: pem("CA"), cert: pem("CERT"), key: pem("KEY") });
  expect(cache.access.tls).toEqual({ ca: pem("OTHER CA"), cert: pem("CERT"), key: pem("KEY") });
});

it.each<[Record<string, string>, string]>([
  [{ REDIS_URL: "redis://:a@h", REDIS_PASSWORD: "b" }, "REDIS_PASSWORD is given twice: REDIS_URL holds one too"],
  [{ REDIS_URL: "redis://h", REDIS_TLS_CA: pem("CA") }, "REDIS_TLS_CA is for an encrypted connection, and no address begins with rediss"],
  [{ REDIS_URL: "rediss://h", REDIS_TLS_CA: "/ca.pem" }, "REDIS_TLS_CA is no PEM: name its file with REDIS_TLS_CA_FILE"],
  [{ REDIS_URL: "rediss://h", REDIS_TLS_KEY: pem("KEY") }, "REDIS_TLS_KEY stands alone: a certificate goes with its key"],
  [
    { REDIS_CACHE_URL: "redis+sentinel://h" },
    "REDIS_CACHE_URL must end with the name that the Sentinels have for the master: redis+sentinel://host:port,host:port/name",
  ],
])("refuses %o with one sentence", (environment, sentence) => {
  expect(problems(environment)).toEqual([sentence]);
});
