import { randomUUID } from "node:crypto";
import { pause } from "../../../shared/flow/pause.js";
import type { Cli } from "../cli.js";
import { CliError } from "../exit-code.js";
import { isMessageSent } from "../gateway/responses.js";
import { findSession } from "../gateway/find-session.js";
import { NoResponse, Refusal } from "../gateway/refusal.js";
import type { Platform } from "../../../shared/contract/platform.js";

/** Longer than the 240 s that a message may take. */
const postMs = 250_000;
const retryAfterMs = [2_000, 5_000, 15_000];

export interface Post {
  readonly session: string;
  readonly endpoint: "message" | "status";
  readonly body: (platform: Platform) => Record<string, unknown>;
  /** Omitted: a new key is generated. */
  readonly key: string | undefined;
}

/** Sends one request with an idempotency key and retries while the gateway does not respond. The request takes effect once. */
export async function postOnce(
  cli: Cli,
  { session, endpoint, body, key = `cli-${randomUUID()}` }: Post,
): Promise<{ id: string; platform: Platform; sent: string }> {
  const { id, platform } = await findSession(cli.client, session);
  const request = {
    method: "POST",
    path: `${cli.client.address.paths[platform]}/${endpoint}`,
    headers: { id, "idempotency-key": key },
    body: body(platform),
    timeoutMs: postMs,
  } as const;
  for (const waitMs of [...retryAfterMs, undefined]) {
    try {
      const response = await cli.client.request(request, isMessageSent);
      return { id, platform, sent: "messageId" in response ? response.messageId : response.statusId };
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
