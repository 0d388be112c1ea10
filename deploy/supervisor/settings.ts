import { resolve } from "node:path";
import { readApiKeys } from "../../shared/config/api-key-list.js";
import { EnvReader } from "../../shared/config/env.js";
import { readProcessSettings, type ProcessSettings } from "../../shared/config/process.js";
import { readRouterShutdown, type RouterShutdown } from "../../shared/config/router-shutdown.js";

/** What one host's supervisor starts, and where. */
export interface SupervisorSettings {
  /** First port of each kind: router i listens on `http + i`; routers, then shards, then the supervisor itself, count up from `admin`. */
  ports: { http: number; admin: number; sandbox: number };
  routers: number;
  shards: number;
  /** `sandbox`: two loopback platforms are started too, and no real platform is ever reached. */
  platforms: "sandbox" | "live";
  /** Absolute folder of the private Redis and the generated secrets. */
  dataDir: string;
  /** Undefined: a private Redis is started. */
  redisUrl: string | undefined;
  /** Undefined: a private one beside a private Redis, else the same server. */
  redisCacheUrl: string | undefined;
  /** Settings that the children read too; checked here, so that a mistake is one message and not one for each child. */
  shared: Pick<ProcessSettings, "host" | "logLevel" | "admin" | "redis" | "baseUrls">;
  routerShutdown: RouterShutdown;
}

/** Keys given in the environment; those that are not are generated (secrets.ts). */
export interface GivenSecrets {
  apiKeys: string | undefined;
  credKeys: string | undefined;
  mediaKeys: string | undefined;
}

/** Throws a `ConfigError` with all problems at once. */
export function readSupervisorSettings(environment: Readonly<Record<string, string | undefined>>): {
  settings: SupervisorSettings;
  given: GivenSecrets;
} {
  // Under a supervisor the terminal is for the welcome and for what is wrong.
  const env = new EnvReader({ ...environment, LOG_LEVEL: environment["LOG_LEVEL"] || "warn" });
  const port = { min: 1, max: 65_535 };
  const { host, logLevel, admin, redis, baseUrls } = readProcessSettings(env, { name: "supervisor", adminPort: 9090 });
  const settings: SupervisorSettings = {
    ports: {
      http: env.integer("PORT", 8080, port),
      admin: admin.port,
      sandbox: env.integer("SANDBOX_PORT", 8090, { min: 1, max: 65_000 }),
    },
    routers: env.integer("ROUTERS", 1, { min: 1, max: 64 }),
    shards: env.integer("SHARDS", 2, { min: 1, max: 64 }),
    platforms: env.oneOf("PLATFORMS", ["sandbox", "live"], "sandbox"),
    dataDir: resolve(env.text("DATA_DIR", ".data")),
    redisUrl: env.optional("REDIS_URL"),
    redisCacheUrl: env.optional("REDIS_CACHE_URL"),
    shared: { host, logLevel, admin, redis, baseUrls },
    routerShutdown: readRouterShutdown(env),
  };
  if (settings.platforms === "live") {
    env.integer("TELEGRAM_API_ID", Number.NaN, { min: 1, max: 2 ** 31 - 1 });
    for (const name of ["TELEGRAM_API_ID", "TELEGRAM_API_HASH"]) env.text(name);
  }
  const clash = portClash(settings);
  // The sentence has the numbers already: no value after it.
  if (clash !== undefined)
    env.parsed(
      "ADMIN_PORT",
      () => {
        throw new Error(clash);
      },
      { fallback: "", secret: true },
    );
  if (env.optional("CRED_KEYS") !== undefined) env.keyRing("CRED_KEYS");
  if (env.optional("API_KEYS") !== undefined) env.parsed("API_KEYS", readApiKeys, { secret: true });
  if (env.optional("MEDIA_KEYS") !== undefined) env.keyRing("MEDIA_KEYS");
  env.finish();
  return {
    settings,
    given: { apiKeys: env.optional("API_KEYS"), credKeys: env.optional("CRED_KEYS"), mediaKeys: env.optional("MEDIA_KEYS") },
  };
}

/** Every port that is going to be listened on, with the process that does. */
export function plannedPorts({ ports, routers, shards, platforms }: SupervisorSettings): { port: number; owner: string }[] {
  return [
    ...count(routers).map((i) => ({ port: ports.http + i, owner: `router-${i + 1}` })),
    ...count(routers).map((i) => ({ port: ports.admin + i, owner: `admin of router-${i + 1}` })),
    ...count(shards).map((i) => ({ port: ports.admin + routers + i, owner: `admin of shard-${i + 1}` })),
    { port: ownAdminPort({ ports, routers, shards }), owner: "admin of supervisor" },
    ...(platforms === "sandbox" ? sandboxPorts(ports.sandbox) : []),
  ];
}

/** The supervisor's own admin port: after those of all its children. */
export function ownAdminPort({ ports, routers, shards }: Pick<SupervisorSettings, "ports" | "routers" | "shards">): number {
  return ports.admin + routers + shards;
}

/** The control API and, 11 to 13 above it, three Telegram data centres. */
function sandboxPorts(control: number): { port: number; owner: string }[] {
  return [
    { port: control, owner: "sandbox" },
    ...count(3).map((i) => ({ port: control + 11 + i, owner: `data centre ${i + 1} of the sandbox` })),
  ];
}

/** 0, 1, … below `length`. */
export function count(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

function portClash(settings: SupervisorSettings): string | undefined {
  if (settings.ports.admin === 0) return "must be a port, because further processes count up from it";
  const owners = new Map<number, string>();
  for (const { port, owner } of plannedPorts(settings)) {
    const other = owners.get(port);
    if (other !== undefined) return `with PORT and SANDBOX_PORT gives ${port} to both ${other} and ${owner}`;
    if (port > 65_535) return `with PORT and SANDBOX_PORT leaves no port for ${owner}`;
    owners.set(port, owner);
  }
  return undefined;
}
