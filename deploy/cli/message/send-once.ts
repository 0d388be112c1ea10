import { randomUUID } from "node:crypto";
import { pause } from "../../../shared/flow/pause.js";
import type { Platform } from "../../../shared/contract/platform.js";
import type { Cli } from "../cli.js";
import { CliError } from "../exit-code.js";
import { findSession } from "../gateway/find-session.js";
import type { GatewayRequest } from "../gateway/gateway-client.js";
import { NoResponse, Refusal } from "../gateway/refusal.js";

/** Longer than the 240 s that a message may take. */
const requestMs = 250_000;
const retryAfterMs = [2_000, 5_000, 15_000];

export interface Once {
  readonly session: string;
  /** Returns the request. Its path begins behind that of the platform, such as `/message`. */
  readonly request: (platform: Platform) => Pick<GatewayRequest, "method" | "path" | "query" | "body">;
  /** Omitted: a new key is generated. */
  readonly key: string | undefined;
}

/** Sends one request with an idempotency key and retries while the gateway does not respond. The request takes effect once. */
export async function sendOnce<T>(
  cli: Cli,
  { session, request: requestOf, key = `cli-${randomUUID()}` }: Once,
  is: (body: unknown) => body is T,
): Promise<{ id: string; platform: Platform; response: T }> {
  const { id, platform } = await findSession(cli.client, session);
  const { path, ...rest } = requestOf(platform);
  const headers = { id, "idempotency-key": key };
  const request: GatewayRequest = { ...rest, path: `${cli.client.address.paths[platform]}${path}`, headers, timeoutMs: requestMs };
  for (const waitMs of [...retryAfterMs, undefined]) {
    try {
      return { id, platform, response: await cli.client.request(request, is) };
    } catch (error) {
      const passes = error instanceof NoResponse || (error instanceof Refusal && error.status === 503);
      if (!passes || waitMs === undefined) throw withKey(error, key);
      cli.screen.say(`${error.message}; retrying with the same idempotency key`);
      await pause(waitMs, cli.signal);
      cli.signal.throwIfAborted();
    }
  }
  throw new Error("unreachable");
}

/** If the outcome is unknown, adds to the message how to retry safely. */
function withKey(error: unknown, key: string): unknown {
  const isFinal = !(error instanceof CliError) || (error instanceof Refusal && error.status < 500);
  return isFinal ? error : new CliError(`${error.message}; retry safely with --idempotency-key ${key}`, error.exitCode, { cause: error });
}
