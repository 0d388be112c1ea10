import { parseRedisAddress, type Credentials, type RedisAddress, type RedisTls } from "./address.js";
import type { EnvReader } from "../config/env.js";

export interface RedisSettings {
  readonly coordination: RedisAddress;
  /** The same object as `coordination` if one Redis is both. */
  readonly cache: RedisAddress;
}

/** Name of a setting that holds an address. */
type UrlName = `${string}_URL`;

const local = "redis://127.0.0.1:6379";

export function readRedisSettings(env: EnvReader): RedisSettings {
  const url = env.optional("REDIS_URL") ?? local;
  const coordination = readRedisAddress(env, "REDIS_URL") ?? parseRedisAddress(local);
  const isOne = (env.optional("REDIS_CACHE_URL") ?? url) === url;
  const cache = isOne ? coordination : (readRedisAddress(env, "REDIS_CACHE_URL") ?? coordination);
  const [certificate] = ["REDIS_TLS_CA", "REDIS_TLS_CERT"].filter((name) => env.optional(name) !== undefined);
  if (certificate !== undefined && [coordination, cache].every(({ access }) => access.tls === undefined))
    env.refuse(certificate, "is for an encrypted connection, and no address begins with rediss");
  return { coordination, cache };
}

/** Reads the address `X_URL` with its further settings such as `X_USERNAME`, `X_PASSWORD` and `X_TLS_CA`. */
export function readRedisAddress(env: EnvReader, name: UrlName): RedisAddress | undefined {
  const address = env.parsed(name, parseRedisAddress, { secret: true, fallback: local });
  if (address === undefined) return undefined;
  const own = name.slice(0, -"_URL".length);
  // Passwords are not inherited from another server's settings. Certificates and Sentinels are, because they are often shared.
  const prefixes = own === "REDIS" ? [own] : [own, "REDIS"];
  const { access } = address;
  const given = credentials(env, [own], "");
  for (const part of ["username", "password"] as const)
    if (access[part] !== undefined && given[part] !== undefined)
      env.refuse(`${own}_${part.toUpperCase()}`, `is given twice: ${name} holds one too`);
  const sentinel = address.kind === "sentinel" ? credentials(env, prefixes, "SENTINEL_") : {};
  return {
    ...address,
    setting: name,
    access: {
      ...access,
      ...given,
      ...(Object.keys(sentinel).length === 0 ? {} : { sentinel }),
      ...(access.tls === undefined ? {} : { tls: readTls(env, prefixes) }),
    },
  };
}

function credentials(env: EnvReader, prefixes: readonly string[], of: "" | "SENTINEL_"): Credentials {
  const [username, password] = [first(env, prefixes, `${of}USERNAME`), first(env, prefixes, `${of}PASSWORD`)];
  return { ...(username && { username: username.text }), ...(password && { password: password.text }) };
}

function readTls(env: EnvReader, prefixes: readonly string[]): RedisTls {
  const [ca, cert, key] = ["TLS_CA", "TLS_CERT", "TLS_KEY"].map((name) => first(env, prefixes, name));
  for (const one of [ca, cert, key])
    if (one !== undefined && !one.text.includes("-----BEGIN ")) env.refuse(one.name, `is no PEM: name its file with ${one.name}_FILE`);
  const alone = cert === undefined ? key : key === undefined ? cert : undefined;
  if (alone !== undefined) env.refuse(alone.name, "stands alone: a certificate goes with its key");
  return { ...(ca && { ca: ca.text }), ...(cert && { cert: cert.text }), ...(key && { key: key.text }) };
}

/** Returns the first setting that is present, with its name. */
function first(env: EnvReader, prefixes: readonly string[], name: string): { name: string; text: string } | undefined {
  for (const prefix of prefixes) {
    const text = env.optional(`${prefix}_${name}`);
    if (text !== undefined) return { name: `${prefix}_${name}`, text };
  }
  return undefined;
}
