import { randomBytes } from "node:crypto";
import type { Sandbox } from "../sandbox/sandbox.js";

export const adminKey = "key-of-the-tests-own-cluster";

export interface ClusterPlaces {
  readonly redisUrl: string;
  /** Port of the first router. */
  readonly firstPort: number;
  readonly sandbox: Sandbox;
}

/** Returns the environment of all routers and shards of a test's cluster, with fresh keys. */
export function clusterEnvironment({ redisUrl, firstPort, sandbox }: ClusterPlaces) {
  const key = (): string => `a:${randomBytes(32).toString("base64")}`;
  return {
    REDIS_URL: redisUrl,
    BASE_URL_A: `http://127.0.0.1:${firstPort}/whatsapp`,
    BASE_URL_B: `http://127.0.0.1:${firstPort}/telegram`,
    CRED_KEYS: key(),
    MEDIA_KEYS: key(),
    API_KEYS: `admin:${adminKey}`,
    // Tests send many wrong credentials on purpose, all from one address.
    FAILED_AUTH_PER_MINUTE: "1000000",
    TELEGRAM_API_ID: "12345",
    TELEGRAM_API_HASH: "0123456789abcdef0123456789abcdef",
    TELEGRAM_DC_MAP: sandbox.telegram.dcMap,
    TELEGRAM_SERVER_KEYS: sandbox.telegram.publicKeyPath,
    WHATSAPP_URL: sandbox.whatsapp.url,
    WHATSAPP_ROOT_KEY: sandbox.whatsapp.rootKeyPath,
    WHATSAPP_MEDIA_CA: sandbox.whatsapp.mediaCaPath,
    SANDBOX_URL: sandbox.controlUrl,
    DOWNLOAD_ALLOW: new URL(sandbox.controlUrl).host,
  };
}
