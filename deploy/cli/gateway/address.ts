import type { Platform } from "../../../shared/contract/platform.js";

/** Where a gateway is, and by what it knows us. */
export interface Address {
  /** `https://host:port`, without a slash at its end. */
  readonly origin: string;
  /** Paths of the two variants. */
  readonly paths: Readonly<Record<Platform, string>>;
  /** Control API of the sandbox, where the gateway runs on it. */
  readonly sandbox: string | undefined;
  /** Tried in this order until one is not refused. Several only where two deployments were tried on one machine. */
  readonly keys: readonly string[];
}

/** What there is to choose from. Pure: files and environment were read before. */
export interface AddressSources {
  /** `--url`, or `TRUNKLINE_URL`. */
  readonly url: string | undefined;
  /** The key that was given, from `--key-file` or `TRUNKLINE_KEY`. */
  readonly key: string | undefined;
  /** What a gateway of this machine wrote down about itself in its data folder. */
  readonly running: RunningGateway | undefined;
  readonly port: number;
  readonly paths: Readonly<Record<Platform, string>>;
  /** Keys that lie on this machine for its own gateway. */
  readonly foundKeys: readonly string[];
}

/** `gateway.json` of a data folder. */
export interface RunningGateway {
  origin: string;
  paths: Record<Platform, string>;
  sandbox: string | null;
  /** Its Redis is its own, and not one of a `REDIS_URL`; absent in a version before this. */
  privateRedis?: boolean;
}

/**
 * Throws a sentence when the address is none. A key that was merely found goes to nobody but the gateway that it is for, as far as its port tells: on a machine of many
 * users any of them may listen on another one.
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
