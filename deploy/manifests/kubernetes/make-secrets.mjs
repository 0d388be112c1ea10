import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { passwordName } from "../redis/users.mjs";

/**
 * Prints the secrets for `kubectl apply -f -`, from deploy/manifests/.env or a given file. Each kind of process gets only what it needs.
 * Arguments: the addresses of Redis and of the cache Redis, without user and password.
 */
function secretsOf(settings, redis, cache) {
  const of = (name) => {
    const value = settings.get(name);
    if (value === undefined) throw new Error(`${name} is not filled in`);
    return value;
  };
  const as = (user, address) => {
    const [, scheme, rest] = /^(rediss?(?:\+sentinel|\+cluster)?:\/\/)([^@]+)$/.exec(address) ?? [];
    if (rest === undefined)
      throw new Error("an address of Redis is redis://…, rediss://…, redis+sentinel://… or redis+cluster://…, without a user");
    return `${scheme}${user}:${of(passwordName(user))}@${rest}`;
  };
  const keys = { CRED_KEYS: of("CRED_KEYS"), MEDIA_KEYS: of("MEDIA_KEYS") };
  return {
    routers: { ...keys, API_KEYS: of("API_KEYS"), REDIS_URL: as("router", redis), REDIS_CACHE_URL: as("router", cache) },
    shards: {
      ...keys,
      // Empty without Telegram; the shard's files must exist.
      TELEGRAM_API_ID: settings.get("TELEGRAM_API_ID") ?? "",
      TELEGRAM_API_HASH: settings.get("TELEGRAM_API_HASH") ?? "",
      REDIS_URL: as("shard", redis),
      REDIS_CACHE_URL: as("shard", cache),
      REDIS_REWRITE_URL: as("rewriter", redis),
      SUPERVISOR_REDIS_URL: as("supervisor", redis),
    },
  };
}

/** Returns the manifest as JSON, which kubectl reads like YAML. */
function manifest(secrets) {
  const items = Object.entries(secrets).map(([component, stringData]) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `trunkline-${component}`, namespace: "trunkline" },
    type: "Opaque",
    stringData,
  }));
  return `${JSON.stringify({ apiVersion: "v1", kind: "List", items }, undefined, 2)}\n`;
}

const [redis, cache, file = fileURLToPath(new URL("../.env", import.meta.url))] = process.argv.slice(2);
try {
  if (redis === undefined || cache === undefined)
    throw new Error("say where Redis is: node deploy/manifests/kubernetes/make-secrets.mjs redis://redis:6379 redis://redis-cache:6379");
  if (!existsSync(file)) throw new Error(`${file} is not there: run node deploy/manifests/make-env.mjs`);
  const settings = new Map([...readFileSync(file, "utf8").matchAll(/^(\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]));
  process.stdout.write(manifest(secretsOf(settings, redis, cache)));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
