import { readApiKeys } from "../shared/config/api-key-list.js";
import type { ClusterTiming } from "../shared/cluster/cluster-timing.js";
import { readClusterTiming } from "../shared/cluster/read-cluster-timing.js";
import { EnvReader, required } from "../shared/config/env.js";
import { readProcessSettings, type ProcessSettings } from "../shared/process/settings.js";
import { readRouterShutdown, type RouterShutdown } from "../shared/config/router-shutdown.js";
import type { KeyRing } from "../shared/config/key-ring.js";
import { LinkKeys } from "../shared/media/link.js";
import { TrustedProxies } from "./http/caller-addresses.js";
import { Cors } from "./http/cors.js";
import { defaultHttpLimits } from "./http/limits.js";
import { ConfiguredKeys } from "./tenant/configured-keys.js";

export interface RouterSettings extends ProcessSettings {
  timing: ClusterTiming;
  http: { host: string; port: number; trustedProxies: TrustedProxies; cors: Cors | undefined };
  shutdown: RouterShutdown;
  /** Most requests of one address whose caller is not yet known or whose body is incomplete. */
  newcomersPerAddress: number;
  /** Wrong credentials per minute, of one address and for one session, that get their usual status. */
  failedAuthPerMinute: number;
  /** Router memory for media chunks, bytes. */
  chunkMemoryBytes: number;
  /** Most concurrent media streams. Each may hold two chunks (1 MiB) outside that memory. */
  mediaStreams: number;
  /** Whether the API description is public. */
  describesApi: boolean;
  /** Control API of the sandbox, for the console; `undefined` on live platforms. */
  sandboxUrl: string | undefined;
}

/** Kept apart from the settings, so that a log of the settings cannot show a secret. */
export interface RouterSecrets {
  credentialRing: KeyRing;
  linkKeys: LinkKeys;
  configuredKeys: ConfiguredKeys;
}

/** Throws a `ConfigError` with all problems at once. */
export function readRouterSettings(environment: Readonly<Record<string, string | undefined>>): {
  settings: RouterSettings;
  secrets: RouterSecrets;
} {
  const env = new EnvReader(environment);
  const common = readProcessSettings(env, { name: "router-1", adminPort: 9090 });
  const settings: RouterSettings = {
    ...common,
    timing: readClusterTiming(env, { onSandbox: env.optional("SANDBOX_URL") !== undefined }),
    http: {
      host: env.text("HOST", "127.0.0.1"),
      port: env.integer("PORT", 8080, { min: 0, max: 65_535 }),
      trustedProxies: env.parsed("TRUSTED_PROXIES", (text) => TrustedProxies.parse(text), { fallback: "" }) ?? TrustedProxies.none,
      cors: env.parsed("CORS_ORIGINS", (text) => Cors.parse(text), { fallback: "" }),
    },
    shutdown: readRouterShutdown(env),
    newcomersPerAddress: env.integer("NEWCOMERS_PER_ADDRESS", defaultHttpLimits.newcomersPerAddress, {
      min: 1,
      max: defaultHttpLimits.newcomers,
    }),
    failedAuthPerMinute: env.integer("FAILED_AUTH_PER_MINUTE", 10, { min: 1, max: 1_000_000 }),
    chunkMemoryBytes: env.integer("CHUNK_MEMORY_MIB", 256, { min: 1, max: 65_536 }) * 1024 * 1024,
    // Each stream may hold two chunks of 512 KiB: 400 MiB.
    mediaStreams: env.integer("MEDIA_STREAMS", 400, { min: 1, max: 50_000 }),
    describesApi: env.oneOf("API_DOCS", ["1", "0"], "1") === "1",
    sandboxUrl: env.optional("SANDBOX_URL"),
  };
  const credentialRing = env.keyRing("CRED_KEYS");
  const linkKeys = env.parsed("MEDIA_KEYS", (text) => LinkKeys.parse(text), { secret: true });
  const configuredKeys = env.parsed("API_KEYS", (text) => ConfiguredKeys.of(readApiKeys(text)), { secret: true, fallback: "" });
  env.finish();
  return {
    settings,
    secrets: { credentialRing: required(credentialRing), linkKeys: required(linkKeys), configuredKeys: required(configuredKeys) },
  };
}
