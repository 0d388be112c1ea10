import type { Api } from "telegram";
import { messageNotFound, sendTimeout } from "../../../shared/contract/telegram/errors.js";
import type { Recipient } from "../../../shared/contract/telegram/message.js";
import type { CommandCall } from "../../session/command.js";
import type { TelegramConnector } from "../connector.js";
import { errorName } from "../errors.js";
import { CallTimeout } from "../network/connection-error.js";
import type { Peer } from "../peers.js";
import { findReceiver, receiverError } from "./find-receiver.js";
import { repeatChange, type Try } from "./repeat-change.js";

/** One try of a change of a message. */
export interface ChangeTry extends Omit<Try, "leftMs"> {
  readonly peer: Peer;
}

export interface MessageChange {
  readonly to: Recipient;
  /** Returns the request that makes the change, or `undefined` if an earlier try has made it. */
  readonly requestOf: (change: ChangeTry) => Promise<Api.AnyRequest | undefined>;
}

/** Changes a message of a chat. Throws as `findReceiver` does, and `message not found`. */
export async function changeMessage(connector: TelegramConnector, change: MessageChange, call: CommandCall): Promise<void> {
  await repeatChange(connector, call, (each) => tryChange(connector, change, each));
}

async function tryChange(
  connector: TelegramConnector,
  { to, requestOf }: MessageChange,
  { client, signal, isRepeat, leftMs }: Try,
): Promise<void> {
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
