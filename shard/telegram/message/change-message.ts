import type { Api } from "telegram";
import { messageNotFound, sendTimeout } from "../../../shared/contract/telegram/errors.js";
import type { Recipient } from "../../../shared/contract/telegram/message.js";
import { sendTimeoutMs } from "../../../shared/limits.js";
import type { CommandCall } from "../../session/command.js";
import type { Client } from "../client.js";
import type { TelegramConnector } from "../connector.js";
import { errorName } from "../errors.js";
import { CallTimeout, ConnectionLost } from "../network/connection-error.js";
import type { Peer } from "../peers.js";
import { findReceiver, receiverError } from "./find-receiver.js";

/** One try of a change, on one connection. */
export interface ChangeTry {
  readonly client: Client;
  readonly peer: Peer;
  readonly signal: AbortSignal;
  /** True if an earlier try may have made the change. */
  readonly isRepeat: boolean;
}

export interface MessageChange {
  readonly to: Recipient;
  /** Returns the request that makes the change, or `undefined` if an earlier try has made it. */
  readonly requestOf: (change: ChangeTry) => Promise<Api.AnyRequest | undefined>;
}

/**
 * Changes a message of a chat. Repeats the request after a lost connection or reply, because a repeated change leaves the message as it
 * is. Keeps its lane meanwhile: a repeat would undo a later change. Throws as `findReceiver` does, and `message not found`.
 */
export async function changeMessage(connector: TelegramConnector, change: MessageChange, call: CommandCall): Promise<void> {
  const deadlineAt = performance.now() + sendTimeoutMs;
  let client = connector.connected();
  for (let attempt = 1; ; attempt++) {
    try {
      await tryChange(connector, client, change, { call, isRepeat: call.isRepeat === true || attempt > 1, deadlineAt });
      return;
    } catch (error) {
      if (!(error instanceof ConnectionLost) || attempt === triesMax) throw error;
      client = await connector.reconnected(connector.services.timing.resendMs, call.signal);
    }
  }
}

const triesMax = 3;

async function tryChange(
  connector: TelegramConnector,
  client: Client,
  { to, requestOf }: MessageChange,
  { call, isRepeat, deadlineAt }: { readonly call: CommandCall; readonly isRepeat: boolean; readonly deadlineAt: number },
): Promise<void> {
  const { signal } = call;
  const leftMs = (): number => Math.max(1, deadlineAt - performance.now());
  const peer = await findReceiver(connector, client, to, { signal, leftMs });
  let request: Api.AnyRequest | undefined;
  try {
    request = await requestOf({ client, peer, signal, isRepeat });
    if (request === undefined) return;
    const again = { afterMs: connector.services.timing.replyMs, onRepeat: () => undefined };
    await client.invoke(request, { signal, deadlineMs: leftMs(), again });
  } catch (error) {
    if (error instanceof CallTimeout) throw request === undefined ? error : sendTimeout();
    const name = errorName(error);
    if (name === "MESSAGE_NOT_MODIFIED") return;
    throw name === "MESSAGE_ID_INVALID" ? messageNotFound(error) : await receiverError(connector, client, { to, peer, signal }, error);
  }
}
