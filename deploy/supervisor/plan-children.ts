import { createHash } from "node:crypto";
import type { RouterShutdown } from "../../shared/config/router-shutdown.js";
import type { Secrets } from "./secrets.js";
import type { SandboxAccess } from "./sandbox-access.js";
import { count, memberName, ownSandbox, runsSandbox, type SupervisorSettings } from "./settings.js";
import { processStart } from "./process-start.js";
import type { ChildPlan } from "./supervised-child.js";

/** A child's plan before the supervisor hangs its ears on it. */
export type PlannedChild = Omit<ChildPlan, "onReady" | "onJoin" | "onDeath" | "onEnd">;

export interface ChildFacts {
  settings: SupervisorSettings;
  secrets: Secrets;
  /** The supervisor's own environment, from which children inherit what is not decided here. */
  environment: NodeJS.ProcessEnv;
  redisUrl: string;
  redisCacheUrl: string;
  /** What the sandbox said, or the host that runs it; empty on live platforms. Asked at each fork. */
  sandbox: () => SandboxAccess;
  /** Loopback addresses other than 127.0.0.1 exist without being set up on Linux only. */
  system: NodeJS.Platform;
}

/** What runs on this host, with the environment of each process. Pure; forks nothing. */
export function planChildren(facts: ChildFacts): { sandbox: PlannedChild | undefined; shards: PlannedChild[]; routers: PlannedChild[] } {
  const { settings, secrets, environment, redisUrl, redisCacheUrl } = facts;
  const { ports, routers, shards, platforms, dataDir, shared, routerShutdown } = settings;
  const common = {
    // Only who starts the sandbox knows where it is.
    ...without(environment, ["API_KEYS", "CRED_KEYS", "MEDIA_KEYS", "SANDBOX_URL", ...strangersPasswords(settings)]),
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
        // The console plays the sandbox's phones.
        env: () => (onSandbox ? { ...own, SANDBOX_URL: controlOf(facts) } : own),
      };
    }),
  };
}

/** Everything here that listens and that no tenant's webhook has any business with. */
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

/** Likewise: a router waits for its balancer, and for requests in progress. */
export function routerStopMs({ delayMs, graceMs }: RouterShutdown): number {
  return delayMs + graceMs + 5_000;
}

/** Secrets go to the processes that need them. A setting may also be the name of the file that holds it. */
function without(environment: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const secret = new Set(names.flatMap((name) => [name, `${name}_FILE`]));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !secret.has(name)));
}

/** What the sandbox has no use for. */
const ofRedis = ["REDIS", "REDIS_CACHE"].flatMap((prefix) =>
  ["URL", "PASSWORD", "SENTINEL_PASSWORD", "TLS_KEY"].map((name) => `${prefix}_${name}`),
);

/** A private Redis wants none, whatever the environment holds for another. */
function strangersPasswords({ redisUrl, redisCacheUrl }: SupervisorSettings): string[] {
  const prefixes = [...(redisUrl === undefined ? ["REDIS"] : []), ...(redisCacheUrl === undefined ? ["REDIS_CACHE"] : [])];
  return prefixes.flatMap((prefix) => [`${prefix}_USERNAME`, `${prefix}_PASSWORD`]);
}

/** Read by the HTTP engine when it is loaded: its own limit of 4 KiB refuses ordinary proxies' headers. */
const engineLimits = { UWS_HTTP_MAX_HEADERS_SIZE: "16384" };

/** Media links begin with the base address and are used as given, so a mere path is completed with where the first router is. */
function absolute(baseUrl: string, port: number): string {
  return baseUrl.startsWith("/") ? `http://127.0.0.1:${port}${baseUrl}` : baseUrl;
}

/** Where the sandbox's platforms are, and that its sample files, but not its control API beside them, may be downloaded although they are on loopback. */
function sandboxAccess(facts: ChildFacts): NodeJS.ProcessEnv {
  const { settings, environment, sandbox } = facts;
  const { telegram, whatsapp } = sandbox();
  return {
    TELEGRAM_API_ID: String(settings.telegramApiId),
    TELEGRAM_API_HASH: environment["TELEGRAM_API_HASH"] || "0123456789abcdef0123456789abcdef",
    // The shard denies the platforms' own addresses by itself.
    WEBHOOK_DENY:
      environment["WEBHOOK_DENY"] || [ownServers(settings), ...(whatsapp?.mediaHost === undefined ? [] : [whatsapp.mediaHost])].join(","),
    DOWNLOAD_ALLOW: environment["DOWNLOAD_ALLOW"] || `${new URL(controlOf(facts)).host}/files/`,
    ...(telegram === undefined ? {} : { TELEGRAM_DC_MAP: telegram.dcMap, TELEGRAM_SERVER_KEYS: telegram.publicKeyPath }),
    ...(whatsapp === undefined
      ? {}
      : { WHATSAPP_URL: whatsapp.url, WHATSAPP_ROOT_KEY: whatsapp.rootKeyPath, WHATSAPP_MEDIA_CA: whatsapp.mediaCaPath }),
  };
}

/** Each shard may have an address of its own there; from such a one nothing else is reached. */
function isOnLoopback(facts: ChildFacts): boolean {
  return facts.system === "linux" && new URL(controlOf(facts)).hostname.startsWith("127.");
}

/** The sandbox's control API; absent: our own sandbox's. */
function controlOf({ settings, sandbox }: ChildFacts): string {
  return sandbox().control ?? ownSandbox(settings);
}

/**
 * A source address for each fork of a shard, 127.0.1.1 to 127.0.250.254 and again: the sandbox tells by it which process holds an account's socket, and that
 * two starts of one shard are two. Another host of the cluster, where one machine plays several, has another second number.
 */
function* egressAddresses({ prefix }: SupervisorSettings): Generator<string, never> {
  const network = prefix === "" ? 0 : 1 + ((createHash("sha256").update(prefix).digest()[0] ?? 0) % 200);
  for (;;) {
    for (const block of count(250)) for (const host of count(254)) yield `127.${network}.${block + 1}.${host + 1}`;
  }
}
