import { isIPv4 } from "node:net";
import { resolve } from "node:path";
import { readApiKeys } from "../../shared/config/api-key-list.js";
import type { ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import { readClusterTiming } from "../../shared/cluster/read-cluster-timing.js";
import { ConfigError, EnvReader } from "../../shared/config/env.js";
import { readProcessSettings, type ProcessSettings } from "../../shared/process/settings.js";
import { readRouterShutdown, type RouterShutdown } from "../../shared/config/router-shutdown.js";
import { readTelegramApiId, readTelegramApp } from "../../shared/config/telegram-app.js";

/** Processes that the supervisor of one host starts, and their ports and folders. */
export interface SupervisorSettings {
  /** First port of each kind: router i listens on `http + i`; routers, then shards, then the supervisor itself, count up from `admin`. */
  ports: { http: number; admin: number; sandbox: number };
  routers: number;
  shards: number;
  /** The only router and the only shard run in one process. */
  isAllInOne: boolean;
  /** `sandbox` also starts two loopback platforms, and no real platform is ever contacted. */
  platforms: "sandbox" | "live";
  /** Address on which our own sandbox listens and its clients reach it. */
  sandboxHost: string;
  /** Telegram API id with which the shards log in. Undefined: Telegram is off. */
  telegramApiId: number | undefined;
  /** Absolute folder of the private Redis and the generated secrets. */
  dataDir: string;
  /** True for a further host of an existing cluster: `npm start -- --join`. */
  joins: boolean;
  /** Prefix of the names of this host's processes; empty on the first host. */
  prefix: string;
  /** Undefined: a private Redis is started. */
  redisUrl: string | undefined;
  /** Undefined: a private cache beside a private Redis, otherwise the same server. */
  redisCacheUrl: string | undefined;
  /** Settings that the children read too. They are checked here, so that a mistake is reported once and not by each child. */
  shared: Pick<ProcessSettings, "host" | "logLevel" | "admin" | "redis" | "baseUrls">;
  routerShutdown: RouterShutdown;
  timing: ClusterTiming;
}

/** Keys given in the environment; missing keys are generated (secrets.ts). */
export interface GivenSecrets {
  apiKeys: string | undefined;
  credKeys: string | undefined;
  mediaKeys: string | undefined;
}

/** Throws a `ConfigError` with all problems at once. */
export function readSupervisorSettings(
  environment: Readonly<Record<string, string | undefined>>,
  args: readonly string[] = [],
): {
  settings: SupervisorSettings;
  given: GivenSecrets;
} {
  const strange = args.find((arg) => arg !== joinFlag);
  if (strange !== undefined) throw new ConfigError([`${strange} is no argument of a start: there is ${joinFlag} alone`]);
  const joins = args.includes(joinFlag);
  // Under a supervisor the terminal shows only the welcome text and problems.
  const env = new EnvReader({ ...environment, LOG_LEVEL: environment["LOG_LEVEL"] || "warn" });
  const port = { min: 1, max: 65_535 };
  const { host, logLevel, admin, redis, baseUrls } = readProcessSettings(env, { name: "supervisor", adminPort: 9090 });
  const ports = {
    http: env.integer("PORT", 8080, port),
    admin: admin.port,
    sandbox: env.integer("SANDBOX_PORT", 8090, { min: 1, max: 65_000 }),
  };
  const isAllInOne = env.optional("ROUTERS") === undefined && env.optional("SHARDS") === undefined;
  const [routers, shards] = [
    env.integer("ROUTERS", 1, { min: 1, max: 64 }),
    env.integer("SHARDS", isAllInOne ? 1 : 2, { min: 1, max: 64 }),
  ];
  const platforms = env.oneOf("PLATFORMS", ["sandbox", "live"], "sandbox");
  const isLive = platforms === "live";
  const settings: SupervisorSettings = {
    ports,
    routers,
    shards,
    isAllInOne,
    platforms,
    sandboxHost: env.parsed("SANDBOX_HOST", oneAddress, { fallback: loopback }) ?? loopback,
    telegramApiId: isLive ? readTelegramApp(env)?.apiId : readTelegramApiId(env, sandboxApiId),
    dataDir: resolve(env.text("DATA_DIR", ".data")),
    joins,
    prefix: joins ? (env.parsed("HOST_ID", prefixOf, { fallback: host }) ?? "") : "",
    redisUrl: joins ? env.text("REDIS_URL") : env.optional("REDIS_URL"),
    redisCacheUrl: env.optional("REDIS_CACHE_URL"),
    shared: { host, logLevel, admin, redis, baseUrls },
    routerShutdown: readRouterShutdown(env),
    timing: readClusterTiming(env, { onSandbox: !isLive }),
  };
  const clash = portClash(settings);
  // The sentence already contains the numbers, so no value is appended.
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

/** An API id that the sandbox accepts. */
const sandboxApiId = 12_345;
const joinFlag = "--join";
/** Leaves room in a member name of at most 63 characters for its kind and number. */
const prefixMax = 50;

/** Member names consist of lowercase letters, digits and dashes, and begin with the name of their host. */
function prefixOf(host: string): string {
  const plain = host
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (plain === "" || plain.length > prefixMax)
    throw new Error(`must have 1 to ${prefixMax} letters and digits, for the names of its processes`);
  return `${plain}-`;
}

const loopback = "127.0.0.1";

function oneAddress(text: string): string {
  if (!isIPv4(text) || text === "0.0.0.0") throw new Error("must be an IPv4 address of this machine, at which the other hosts reach it");
  return text;
}

/** Returns the URL of our own sandbox's control API. */
export function ownSandbox({ sandboxHost, ports }: Pick<SupervisorSettings, "sandboxHost" | "ports">): string {
  return `http://${sandboxHost}:${ports.sandbox}`;
}

/** Returns `shard-1`, or `<host>-shard-1` on a host that has joined a cluster. */
export function memberName({ prefix }: Pick<SupervisorSettings, "prefix">, kind: "router" | "shard", index: number): string {
  return `${prefix}${kind}-${index + 1}`;
}

/** Returns every port that will be listened on, with its process. */
export function plannedPorts(settings: SupervisorSettings): { port: number; owner: string }[] {
  const { ports, routers, shards } = settings;
  return [
    ...count(routers).map((i) => ({ port: ports.http + i, owner: memberName(settings, "router", i) })),
    ...count(routers).map((i) => ({ port: ports.admin + i, owner: `admin of ${memberName(settings, "router", i)}` })),
    ...count(shards).map((i) => ({ port: ports.admin + routers + i, owner: `admin of ${memberName(settings, "shard", i)}` })),
    { port: ownAdminPort(settings), owner: "admin of supervisor" },
    ...(runsSandbox(settings) ? sandboxPorts(ports.sandbox) : []),
  ];
}

/** A cluster has one sandbox: that of its first host. */
export function runsSandbox({ platforms, joins }: Pick<SupervisorSettings, "platforms" | "joins">): boolean {
  return platforms === "sandbox" && !joins;
}

/** Returns the supervisor's own admin port, which follows those of its children. */
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

/** Returns the numbers from 0 to `length - 1`. */
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
