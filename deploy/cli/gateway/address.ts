import type { Platform } from "../../../shared/contract/platform.js";

/** Address of a gateway, and the API keys to try there. */
export interface Address {
  /** `https://host:port`, without a trailing slash. */
  readonly origin: string;
  /** Path prefix of each platform's API. */
  readonly paths: Readonly<Record<Platform, string>>;
  /** URL of the sandbox's control API, if the gateway runs on the sandbox. */
  readonly sandbox: string | undefined;
  /** Keys to try in this order until the gateway accepts one. Several keys exist only if two deployments were set up on one machine. */
  readonly keys: readonly string[];
}

/** Sources of the address. Files and environment have been read before. */
export interface AddressSources {
  /** `--url`, or `TRUNKLINE_URL`. */
  readonly url: string | undefined;
  /** Key given with `--key-file` or `TRUNKLINE_KEY`. */
  readonly key: string | undefined;
  /** Address that a gateway on this machine stored in its data folder. */
  readonly running: RunningGateway | undefined;
  readonly port: number;
  readonly paths: Readonly<Record<Platform, string>>;
  /** Keys that this machine stores for its own gateway. */
  readonly foundKeys: readonly string[];
}

/** Contents of `gateway.json` in a data folder. */
export interface RunningGateway {
  origin: string;
  paths: Record<Platform, string>;
  sandbox: string | null;
  /** True if its Redis is private rather than at a `REDIS_URL`; absent in versions before this field. */
  privateRedis?: boolean;
}

/**
 * Chooses the address and keys; throws a sentence if the URL is invalid. A key found on disk is sent only to a loopback address with the
 * port of its own gateway: another user of this machine may listen on any other port.
 */
export function chooseAddress({ url, key, running, port, paths, foundKeys }: AddressSources): Address {
  const given = url === undefined ? undefined : originOf(url);
  const origin = given ?? running?.origin ?? `http://127.0.0.1:${port}`;
  const isRunning = running !== undefined && origin === running.origin;
  const ours = running?.origin ?? `http://127.0.0.1:${port}`;
  const found = isLoopback(origin) && portOf(origin) === portOf(ours) ? foundKeys : [];
  return {
    origin,
    paths: isRunning ? running.paths : paths,
    sandbox: isRunning ? (running.sandbox ?? undefined) : undefined,
    keys: key === undefined ? found : [key],
  };
}

function originOf(text: string): string {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new Error("must be an http or https URL");
  if (url.username !== "" || url.password !== "") throw new Error("must not contain a password");
  if (url.pathname !== "/" || url.search !== "") throw new Error("must not contain a path");
  return url.origin;
}

function portOf(origin: string): string {
  const { port, protocol } = new URL(origin);
  return port === "" ? (protocol === "https:" ? "443" : "80") : port;
}

function isLoopback(origin: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(origin).hostname);
}
