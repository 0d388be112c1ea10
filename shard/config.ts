import { EnvReader, required } from "../shared/config/env.js";
import { readProcessSettings, type ProcessSettings } from "../shared/process/settings.js";
import { readRedisAddress } from "../shared/redis/settings.js";
import { historyMessagesMax } from "../shared/limits.js";
import type { KeyRing } from "../shared/config/key-ring.js";
import { readTelegramApp, type TelegramApp } from "../shared/config/telegram-app.js";
import { LinkKeys } from "../shared/media/link.js";
import type { ClusterTiming } from "../shared/cluster/cluster-timing.js";
import { readClusterTiming } from "../shared/cluster/read-cluster-timing.js";
import type { Platform } from "../shared/contract/platform.js";
import type { DeploymentPace } from "./tenant/pace/pace-rates.js";
import { readPace } from "./tenant/pace/read-pace.js";
import { serversOf, type RedisAddress } from "../shared/redis/address.js";
import type { TelegramDevice } from "./telegram/network/init-connection.js";
import { browsers, defaultDevice, type ShownDevice } from "./whatsapp/shown-device.js";
import { parseVersion, parseVersionUrl, type ClientVersion } from "./whatsapp/version/parse-version.js";

export interface ShardSettings extends ProcessSettings {
  timing: ClusterTiming;
  /** The relative share of slots. */
  weight: number;
  /** Folder for temporary downloads and the font cache. */
  dataDir: string;
  telegram: {
    /** Undefined: Telegram is off. */
    app: TelegramApp | undefined;
    /** Virtual address of a data centre -> `host:port` to connect to instead; empty on the live platform. */
    dcMap: ReadonlyMap<string, string>;
    /** PEM file with a further server key; absent on the live platform. */
    serverKeysPath: string | undefined;
    /** The device that the account's owner sees for the session. */
    device: TelegramDevice;
  };
  whatsapp: {
    /** Address of the platform's WebSocket; absent on the live platform. */
    url: string | undefined;
    /** File with the 32-byte key that signs the platform's certificates; refused for the live platform. */
    rootKeyPath: string | undefined;
    /** PEM file with a further certificate authority of media hosts; absent on the live platform. */
    mediaCaPath: string | undefined;
    /** The only version of the client that is used; absent: the library's, or a newer one once the platform refuses that. */
    version: ClientVersion | undefined;
    /** The name under which phones show linked devices. */
    device: ShownDevice;
    /** Address of the newest version; absent: the shard does not check it. */
    versionUrl: URL | undefined;
  };
  /** How fast each session of a platform may send, unless its tenant has a pace of its own. */
  pace: Readonly<Record<Platform, DeploymentPace>>;
  /** Age up to which a session of a platform counts as young. */
  youngMs: Readonly<Record<Platform, number>>;
  /** Local address of every socket to platforms, or to proxies before them; absent: the system's choice. */
  egressAddress: string | undefined;
  /** `host:port` of proxies that sessions may use although their addresses are not public. */
  proxyAllow: readonly string[];
  /** `host:port`, or `host:port/path/` for everything below a path, that tenants' URLs may reach although it is not public. */
  downloadAllow: readonly string[];
  /** Ports of public hosts that callers' URLs may name beside 80, 443, 8080 and 8443. */
  downloadPorts: readonly number[];
  ffmpegPath: string;
  /**
   * While the append-only file of Redis holds secrets of deleted sessions, it is rewritten once per interval (0: never), through the Redis
   * address of `commandAddress`.
   */
  aofRewrite: { intervalMs: number; commandAddress: RedisAddress | undefined };
  /** Most messages and changes that a session's history keeps, for platforms that keep none; 0: none. */
  historyMessages: number;
  /** How long an important write waits for a replica of Redis to have it too; 0: not at all. */
  replicaWaitMs: number;
  webhook: {
    /** Allows receivers at local addresses (variant B allows them). Off for public hosting. */
    allowPrivate: boolean;
    /** `host:port` of our own servers, which no webhook may reach. */
    own: readonly string[];
  };
}

/** Kept apart from the settings, so that logging the settings cannot show a secret. */
export interface ShardSecrets {
  credentialRing: KeyRing;
  linkKeys: LinkKeys;
}

/** Throws a `ConfigError` with all problems at once. */
export function readShardSettings(environment: Readonly<Record<string, string | undefined>>): {
  settings: ShardSettings;
  secrets: ShardSecrets;
} {
  const env = new EnvReader(environment);
  const common = readProcessSettings(env, { name: "shard-1", adminPort: 9091 });
  const whatsappUrl = env.optional("WHATSAPP_URL") === undefined ? undefined : env.parsed("WHATSAPP_URL", parseSocketUrl);
  const paceOn = readPace(env);
  const isLive = { whatsapp: !isOwnServer(whatsappUrl), telegram: env.optional("TELEGRAM_DC_MAP") === undefined };
  const youngDays = env.optional("YOUNG_DAYS") === undefined ? undefined : env.integer("YOUNG_DAYS", 0, { min: 0, max: 3_650 });
  const youngMsOn = (live: boolean): number => (youngDays ?? (live ? youngDaysLive : 0)) * dayMs;
  const dcMap = env.parsed("TELEGRAM_DC_MAP", parseMap, { fallback: "" }) ?? new Map<string, string>();
  const settings: ShardSettings = {
    ...common,
    timing: readClusterTiming(env, { onSandbox: !isLive.whatsapp && !isLive.telegram }),
    weight: env.integer("WEIGHT", 1, { min: 1, max: 100 }),
    dataDir: env.text("DATA_DIR", ".data"),
    telegram: {
      app: readTelegramApp(env),
      dcMap,
      serverKeysPath: env.optional("TELEGRAM_SERVER_KEYS"),
      device: {
        deviceModel: env.parsed("TELEGRAM_DEVICE_MODEL", parseShownName, { fallback: "Trunkline" }) ?? "",
        systemVersion: env.parsed("TELEGRAM_SYSTEM_VERSION", parseShownName, { fallback: "1.0" }) ?? "",
        appVersion: env.parsed("TELEGRAM_APP_VERSION", parseShownName, { fallback: "1.0" }) ?? "",
      },
    },
    whatsapp: {
      url: whatsappUrl,
      rootKeyPath: env.optional("WHATSAPP_ROOT_KEY"),
      mediaCaPath: env.optional("WHATSAPP_MEDIA_CA"),
      device: {
        name: env.parsed("WHATSAPP_DEVICE_NAME", parseShownName, { fallback: defaultDevice.name }) ?? defaultDevice.name,
        browser: env.oneOf("WHATSAPP_DEVICE_BROWSER", browsers, defaultDevice.browser),
      },
      version: env.optional("WHATSAPP_VERSION") === undefined ? undefined : env.parsed("WHATSAPP_VERSION", parseVersion),
      // A private server does not show which versions the live platform accepts.
      versionUrl: env.parsed("WHATSAPP_VERSION_URL", parseVersionUrl, { fallback: isOwnServer(whatsappUrl) ? "off" : newestVersionUrl }),
    },
    pace: { whatsapp: paceOn(isLive.whatsapp), telegram: paceOn(isLive.telegram) },
    youngMs: { whatsapp: youngMsOn(isLive.whatsapp), telegram: youngMsOn(isLive.telegram) },
    egressAddress: env.optional("EGRESS_ADDRESS"),
    proxyAllow: env.parsed("PROXY_ALLOW", parseHostPorts, { fallback: "" }) ?? [],
    downloadAllow: env.parsed("DOWNLOAD_ALLOW", parseServerPaths, { fallback: "" }) ?? [],
    downloadPorts: env.parsed("DOWNLOAD_PORTS", parsePorts, { fallback: "" }) ?? [],
    ffmpegPath: env.text("FFMPEG_PATH", "ffmpeg"),
    aofRewrite: {
      intervalMs: env.integer("AOF_REWRITE_HOURS", 24, { min: 0, max: 8_760 }) * 3_600_000,
      commandAddress: env.optional("REDIS_REWRITE_URL") === undefined ? undefined : readRedisAddress(env, "REDIS_REWRITE_URL"),
    },
    historyMessages: env.integer("HISTORY_MESSAGES", 200, { min: 0, max: historyMessagesMax }),
    replicaWaitMs: env.integer("REDIS_REPLICA_WAIT_MS", 500, { min: 0, max: 2_000 }),
    webhook: {
      allowPrivate: env.oneOf("WEBHOOK_ALLOW_PRIVATE", ["1", "0"], "1") === "1",
      own: [
        ...(env.parsed("WEBHOOK_DENY", parseHostPorts, { fallback: "" }) ?? []),
        `${common.admin.host}:${common.admin.port}`,
        // No webhook may reach a private platform server, such as the sandbox.
        ...dcMap.values(),
        ...(isOwnServer(whatsappUrl) ? [hostPortOf(whatsappUrl)] : []),
        ...[common.redis.coordination, common.redis.cache].flatMap(serversOf).map(({ host, port }) => `${host}:${port}`),
      ],
    },
  };
  const credentialRing = env.keyRing("CRED_KEYS");
  const linkKeys = env.parsed("MEDIA_KEYS", (text) => LinkKeys.parse(text), { secret: true });
  const { url, rootKeyPath } = settings.whatsapp;
  if (rootKeyPath !== undefined && !isOwnServer(url))
    env.refuse(
      "WHATSAPP_ROOT_KEY",
      "is for a server of one's own, such as the sandbox, and WHATSAPP_URL names none: the real platform has its own key",
    );
  env.finish();
  return { settings, secrets: { credentialRing: required(credentialRing), linkKeys: required(linkKeys) } };
}

const dayMs = 86_400_000;
/** No platform documents from when on it trusts an account. People who warm up new numbers name two weeks. */
const youngDaysLive = 14;

/** The platform's own page, which it serves to browsers. */
const newestVersionUrl = "https://web.whatsapp.com/sw.js";

/** Another root key would let its holder pose as the platform, so the live platform must keep its own. */
function isOwnServer(url: string | undefined): url is string {
  return url !== undefined && URL.canParse(url) && !/(^|\.)whatsapp\.(com|net)$/.test(new URL(url).hostname);
}

function hostPortOf(text: string): string {
  const { hostname, port, protocol } = new URL(text);
  return `${hostname}:${port === "" ? (/^(wss|https):$/.test(protocol) ? "443" : "80") : port}`;
}

/** Accepts a name that the account's owner reads in a list. */
function parseShownName(text: string): string {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._()+-]{0,31}$/u.test(text) || text.endsWith(" "))
    throw new Error("must be a name of up to 32 letters, digits, spaces and . _ ( ) + -");
  return text;
}

function parseSocketUrl(text: string): string {
  if (!/^wss?:\/\//.test(text) || !URL.canParse(text)) throw new Error("must be a ws or wss URL");
  return text;
}

/** `media.internal:8443,127.0.0.1:8090`. */
function parseHostPorts(text: string): string[] {
  const entries = entriesOf(text);
  if (!entries.every((entry) => isHostPort(entry))) throw new Error("must be a list of host:port");
  return entries;
}

/** `media.internal:8443,127.0.0.1:8090/files/`. */
function parseServerPaths(text: string): string[] {
  const entries = entriesOf(text);
  if (!entries.every((entry) => isHostPort(entry.replace(/\/([\w.~-]+\/)*$/, ""))))
    throw new Error("must be a list of host:port or host:port/path/");
  return entries;
}

function parsePorts(text: string): number[] {
  const ports = entriesOf(text).map((entry) => (/^\d{1,5}$/.test(entry) ? Number(entry) : 0));
  if (!ports.every((port) => port >= 1 && port <= 65_535)) throw new Error("must be a list of ports from 1 to 65535");
  return ports;
}

function entriesOf(text: string): string[] {
  return text === "" ? [] : text.split(",").map((entry) => entry.trim());
}

function isHostPort(text: string): boolean {
  return /^(\[[0-9a-f:.]+\]|[^\s:/@]+):\d{1,5}$/i.test(text);
}

/** `10.0.0.1=127.0.0.1:8101,10.0.0.2=127.0.0.1:8102`. */
function parseMap(text: string): Map<string, string> {
  const map = new Map<string, string>();
  for (const entry of text.split(",").filter((part) => part.trim() !== "")) {
    const match = /^\s*([^=\s]+)=([^=\s]+:\d{1,5})\s*$/.exec(entry);
    if (match?.[1] === undefined || match[2] === undefined) throw new Error("must be a list of address=host:port");
    map.set(match[1], match[2]);
  }
  return map;
}
