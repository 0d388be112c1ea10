import { createHash } from "node:crypto";
import { sharedEnvironment } from "../all-in-one/router-environment.js";
import type { RouterShutdown } from "../../shared/config/router-shutdown.js";
import type { Secrets } from "./secrets.js";
import type { SandboxAccess } from "./sandbox-access.js";
import { count, memberName, ownSandbox, runsSandbox, type SupervisorSettings } from "./settings.js";
import { processStart } from "./process-start.js";
import type { ChildPlan } from "./supervised-child.js";

/** Plan of a child before the supervisor adds its callbacks. */
export type PlannedChild = Omit<ChildPlan, "onReady" | "onJoin" | "onDeath" | "onEnd">;

export interface ChildFacts {
  settings: SupervisorSettings;
  secrets: Secrets;
  /** The supervisor's environment, from which children inherit every variable that is not set here. */
  environment: NodeJS.ProcessEnv;
  redisUrl: string;
  redisCacheUrl: string;
  /** Returns the sandbox's addresses, from our own sandbox or the host that runs it; empty on live platforms. Called at each fork. */
  sandbox: () => SandboxAccess;
  /** Only Linux has loopback addresses other than 127.0.0.1 without configuration. */
  system: NodeJS.Platform;
}

/** Processes of a host. */
export interface PlannedChildren {
  readonly sandbox: PlannedChild | undefined;
  readonly shards: readonly PlannedChild[];
  readonly routers: readonly PlannedChild[];
  /** The one process that runs instead of the only shard and the only router. */
  readonly allInOne: PlannedChild | undefined;
}

/** Returns the processes of this host with their environments. Pure; starts nothing. */
export function planChildren(facts: ChildFacts): PlannedChildren {
  const planned = planEach(facts);
  const [router, shard] = [planned.routers[0], planned.shards[0]];
  if (!facts.settings.isAllInOne || router === undefined || shard === undefined) return { ...planned, allInOne: undefined };
  return { ...planned, allInOne: inOne(facts.settings, router, shard) };
}

function inOne({ prefix }: SupervisorSettings, router: PlannedChild, shard: PlannedChild): PlannedChild {
  return {
    name: `${prefix}gateway-1`,
    where: `${router.where}; ${shard.where}`,
    ...processStart("deploy/all-in-one"),
    // Its router stops first, then its shard.
    stopMs: router.stopMs + shard.stopMs,
    env: () => sharedEnvironment(router.env(), shard.env()),
  };
}

function planEach(facts: ChildFacts): Omit<PlannedChildren, "allInOne"> {
  const { settings, secrets, environment, redisUrl, redisCacheUrl } = facts;
  const { ports, routers, shards, platforms, dataDir, shared, routerShutdown } = settings;
  const common = {
    // SANDBOX_URL is removed, because only the supervisor of the sandbox knows its address.
    ...without(environment, ["API_KEYS", "CRED_KEYS", "MEDIA_KEYS", "SANDBOX_URL", ...foreignPasswords(settings)]),
    DATA_DIR: dataDir,
    LOG_LEVEL: shared.logLevel,
    PLATFORMS: platforms,
    REDIS_URL: redisUrl,
    REDIS_CACHE_URL: redisCacheUrl,
    BASE_URL_A: absolute(shared.baseUrls.whatsapp, ports.http),
    BASE_URL_B: absolute(shared.baseUrls.telegram, ports.http),
  };
  const keys = { CRED_KEYS: secrets.credKeys, MEDIA_KEYS: secrets.mediaKeys };
  const egress = egressAddresses(settings);
  const onSandbox = platforms === "sandbox";

  return {
    sandbox: runsSandbox(settings)
      ? {
          name: "sandbox",
          where: `port ${ports.sandbox}`,
          ...processStart("test/sandbox"),
          stopMs: 5_000,
          env: () => ({ ...without(common, [...ofRedis, "TELEGRAM_API_HASH"]), SANDBOX_PORT: String(ports.sandbox) }),
        }
      : undefined,
    shards: count(shards).map((i) => {
      const admin = ports.admin + routers + i;
      const own = {
        ...common,
        ...keys,
        MEMBER_NAME: memberName(settings, "shard", i),
        ADMIN_PORT: String(admin),
        WEBHOOK_DENY: environment["WEBHOOK_DENY"] || ownServers(settings),
      };
      return {
        name: own.MEMBER_NAME,
        where: `admin port ${admin}`,
        ...processStart("shard"),
        stopMs: shardStopMs,
        env: () =>
          onSandbox ? { ...own, ...sandboxAccess(facts), ...(isOnLoopback(facts) ? { EGRESS_ADDRESS: egress.next().value } : {}) } : own,
      };
    }),
    routers: count(routers).map((i) => {
      const [http, admin] = [ports.http + i, ports.admin + i];
      const own = {
        ...common,
        ...keys,
        API_KEYS: secrets.apiKeys,
        MEMBER_NAME: memberName(settings, "router", i),
        PORT: String(http),
        ADMIN_PORT: String(admin),
        ...engineLimits,
      };
      return {
        name: own.MEMBER_NAME,
        where: `port ${http}, admin port ${admin}`,
        ...processStart("router"),
        stopMs: routerStopMs(routerShutdown),
        // The console controls the sandbox's phones.
        env: () => (onSandbox ? { ...own, SANDBOX_URL: controlOf(facts) } : own),
      };
    }),
  };
}

/** Returns the servers on this host that no tenant's webhook may reach. */
function ownServers({ ports, routers, shards, sandboxHost }: SupervisorSettings): string {
  const listening = [
    ...count(routers).map((i) => ports.http + i),
    ...count(routers + shards + 1).map((i) => ports.admin + i),
    ports.sandbox,
  ];
  return [...listening.map((port) => `127.0.0.1:${port}`), `${sandboxHost}:${ports.sandbox}`].filter(isFirst).join(",");
}

function isFirst(entry: string, at: number, all: readonly string[]): boolean {
  return all.indexOf(entry) === at;
}

/** From SIGTERM to SIGKILL: a shard hands its slots over and waits for sends that have begun. */
export const shardStopMs = 45_000;

/** Returns the ms from SIGTERM to SIGKILL of a router, which waits for its load balancer and for requests in flight. */
export function routerStopMs({ delayMs, graceMs }: RouterShutdown): number {
  return delayMs + graceMs + 5_000;
}

/** Removes secrets that a process does not need. `<name>_FILE` holds the path of a secret and is removed too. */
function without(environment: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const secret = new Set(names.flatMap((name) => [name, `${name}_FILE`]));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !secret.has(name)));
}

/** Settings that the sandbox does not need. */
const ofRedis = ["REDIS", "REDIS_CACHE"].flatMap((prefix) =>
  ["URL", "PASSWORD", "SENTINEL_PASSWORD", "TLS_KEY"].map((name) => `${prefix}_${name}`),
);

/** A private Redis has no password, so a password for another Redis is removed. */
function foreignPasswords({ redisUrl, redisCacheUrl }: SupervisorSettings): string[] {
  const prefixes = [...(redisUrl === undefined ? ["REDIS"] : []), ...(redisCacheUrl === undefined ? ["REDIS_CACHE"] : [])];
  return prefixes.flatMap((prefix) => [`${prefix}_USERNAME`, `${prefix}_PASSWORD`]);
}

/** The HTTP engine reads this when it loads: its default limit of 4 KiB rejects headers of ordinary proxies. */
const engineLimits = { UWS_HTTP_MAX_HEADERS_SIZE: "16384" };

/** Media links start with the base URL, so a path without a host gets the address of the first router. */
function absolute(baseUrl: string, port: number): string {
  return baseUrl.startsWith("/") ? `http://127.0.0.1:${port}${baseUrl}` : baseUrl;
}

/** Returns the sandbox's addresses. Its sample files may be downloaded although they are on loopback; its control API may not. */
function sandboxAccess(facts: ChildFacts): NodeJS.ProcessEnv {
  const { settings, environment, sandbox } = facts;
  const { telegram, whatsapp } = sandbox();
  return {
    TELEGRAM_API_ID: String(settings.telegramApiId),
    TELEGRAM_API_HASH: environment["TELEGRAM_API_HASH"] || "0123456789abcdef0123456789abcdef",
    // The shard itself denies the platforms' addresses.
    WEBHOOK_DENY:
      environment["WEBHOOK_DENY"] || [ownServers(settings), ...(whatsapp?.mediaHost === undefined ? [] : [whatsapp.mediaHost])].join(","),
    DOWNLOAD_ALLOW: environment["DOWNLOAD_ALLOW"] || `${new URL(controlOf(facts)).host}/files/`,
    ...(telegram === undefined ? {} : { TELEGRAM_DC_MAP: telegram.dcMap, TELEGRAM_SERVER_KEYS: telegram.publicKeyPath }),
    ...(whatsapp === undefined
      ? {}
      : { WHATSAPP_URL: whatsapp.url, WHATSAPP_ROOT_KEY: whatsapp.rootKeyPath, WHATSAPP_MEDIA_CA: whatsapp.mediaCaPath }),
  };
}

/** On loopback each shard can have a source address of its own, which reaches no other network. */
function isOnLoopback(facts: ChildFacts): boolean {
  return facts.system === "linux" && new URL(controlOf(facts)).hostname.startsWith("127.");
}

/** Returns the URL of the sandbox's control API, by default that of our own sandbox. */
function controlOf({ settings, sandbox }: ChildFacts): string {
  return sandbox().control ?? ownSandbox(settings);
}

/**
 * Yields a loopback address for each fork of a shard, by which the sandbox distinguishes processes and restarts. Hosts of one cluster on
 * the same machine differ in the second number.
 */
function* egressAddresses({ prefix }: SupervisorSettings): Generator<string, never> {
  const network = prefix === "" ? 0 : 1 + ((createHash("sha256").update(prefix).digest()[0] ?? 0) % 200);
  for (;;) {
    for (const block of count(250)) for (const host of count(254)) yield `127.${network}.${block + 1}.${host + 1}`;
  }
}
