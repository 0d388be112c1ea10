import type { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import { sendTimeout } from "../../../shared/contract/telegram/errors.js";
import { sendTimeoutMs } from "../../../shared/limits.js";
import type { CommandCall } from "../../session/command.js";
import type { Client } from "../client.js";
import type { TelegramConnector } from "../connector.js";
import { errorName } from "../errors.js";
import { CallTimeout, ConnectionLost } from "../network/connection-error.js";

/** One try of a change, on one connection. */
export interface Try {
  readonly client: Client;
  readonly signal: Ending;
  /** True if an earlier try may have made the change. */
  readonly isRepeat: boolean;
  /** Milliseconds until the command's deadline, at least 1. */
  readonly leftMs: () => number;
}

/**
 * Makes a change, again on the next connection after a lost one, because a repeated change leaves everything as it is. Keeps its lane
 * meanwhile: a repeat would undo a later change.
 */
export async function repeatChange<T>(
  connector: TelegramConnector,
  { signal, isRepeat = false }: Pick<CommandCall, "signal" | "isRepeat">,
  attempt: (change: Try) => Promise<T>,
): Promise<T> {
  const deadlineAt = performance.now() + sendTimeoutMs;
  const leftMs = (): number => Math.max(1, deadlineAt - performance.now());
  let client = connector.connected();
  for (let count = 1; ; count++) {
    try {
      return await attempt({ client, signal, isRepeat: isRepeat || count > 1, leftMs });
    } catch (error) {
      if (!(error instanceof ConnectionLost) || count === triesMax) throw error;
      client = await connector.reconnected(connector.services.timing.resendMs, signal);
    }
  }
}

const triesMax = 3;

/** Sends the request of a change. A change that is made already is no error. */
export async function applyChange<R extends Api.AnyRequest>(
  connector: TelegramConnector,
  request: R,
  { client, signal, leftMs }: Try,
): Promise<R["__response"] | undefined> {
  const again = { afterMs: connector.services.timing.replyMs, onRepeat: () => undefined };
  try {
    return await client.invoke(request, { signal, deadlineMs: leftMs(), again });
  } catch (error) {
    if (error instanceof CallTimeout) throw sendTimeout();
    if (errorName(error)?.endsWith("_NOT_MODIFIED") === true) return undefined;
    throw error;
  }
}
