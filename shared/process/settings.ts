import { hostname } from "node:os";
import { platforms, type Platform } from "../contract/platform.js";
import type { EnvReader } from "../config/env.js";
import { readRedisSettings, type RedisSettings } from "../redis/settings.js";

/** Settings that routers and shards share. */
export interface ProcessSettings {
  /** Stable name of this process, such as `shard-1`. */
  name: string;
  /** Host that this process runs on: two processes of one host share the settle gap of a clean exit. */
  host: string;
  logLevel: string;
  /** `/healthz`, `/readyz`, `/metrics`. */
  admin: { host: string; port: number };
  redis: RedisSettings;
  /** OTLP endpoint for spans; without it none are made. */
  tracesEndpoint: string | undefined;
  /** Base address of each variant: a path, or an absolute URL whose path is the prefix. */
  baseUrls: Record<Platform, string>;
}

export function readProcessSettings(env: EnvReader, defaults: { name: string; adminPort: number }): ProcessSettings {
  const settings = {
    name: env.parsed("MEMBER_NAME", parseName, { fallback: defaults.name }) ?? defaults.name,
    host: env.text("HOST_ID", hostname()),
    logLevel: env.oneOf("LOG_LEVEL", ["error", "warn", "info", "debug", "silent"], "info"),
    admin: { host: env.text("ADMIN_HOST", "127.0.0.1"), port: env.integer("ADMIN_PORT", defaults.adminPort, { min: 0, max: 65_535 }) },
    redis: readRedisSettings(env),
    tracesEndpoint: readTracesEndpoint(env),
    baseUrls: {
      whatsapp: env.parsed("BASE_URL_A", parseBaseUrl, { fallback: "/whatsapp" }) ?? "/whatsapp",
      telegram: env.parsed("BASE_URL_B", parseBaseUrl, { fallback: "/telegram" }) ?? "/telegram",
    },
  };
  const prefixes = platforms.map((platform) => pathPrefix(settings.baseUrls[platform]));
  if (new Set(prefixes).size < prefixes.length)
    env.parsed(
      "BASE_URL_B",
      () => {
        throw new Error("must have another path than BASE_URL_A");
      },
      { fallback: "" },
    );
  return settings;
}

/** The path of a base address, without a trailing slash: `https://gw.example/telegram/` and `/telegram` are both `/telegram`. */
export function pathPrefix(baseUrl: string): string {
  return new URL(baseUrl, "http://localhost").pathname.replace(/\/+$/, "");
}

/** Uses OpenTelemetry's names: the first is the address for all signals, with the traces below it. */
function readTracesEndpoint(env: EnvReader): string | undefined {
  const [general = "", own = ""] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"].map((name) =>
    env.parsed(name, parseEndpoint, { fallback: "", secret: true }),
  );
  const isOff = env.text("OTEL_SDK_DISABLED", "false").toLowerCase() === "true";
  if (isOff || (own === "" && general === "")) return undefined;
  return own === "" ? `${general.replace(/\/+$/, "")}/v1/traces` : own;
}

/** May hold a password, as the addresses of Redis may. */
function parseEndpoint(text: string): string {
  if (text !== "" && !(/^https?:\/\//.test(text) && URL.canParse(text))) throw new Error("must be an http or https URL");
  return text;
}

function parseName(text: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(text)) throw new Error("must be a lower-case name of letters, digits and dashes");
  return text;
}

function parseBaseUrl(text: string): string {
  const absolute = /^https?:\/\//.test(text);
  if (!absolute && !text.startsWith("/")) throw new Error("must be a path or an http(s) URL");
  if (absolute && !URL.canParse(text)) throw new Error("must be a URL");
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(pathPrefix(text))) throw new Error("must have a plain path");
  return text.replace(/\/+$/, "");
}
