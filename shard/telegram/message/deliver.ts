import type { BigInteger } from "big-integer";
import type { MessageOutput } from "../../../shared/contract/message-content.js";
import type { Recipient } from "../../../shared/contract/telegram/message.js";
import { sendTimeoutMs } from "../../../shared/limits.js";
import type { CommandCall } from "../../session/command.js";
import type { TelegramConnector } from "../connector.js";
import type { Transfer } from "../media/transfer.js";
import type { Peer } from "../peers.js";
import { randomIdOf } from "./random-id.js";
import type { SendRequest } from "./send-request.js";
import { sendUntilAccepted } from "./send-until-accepted.js";

/** Sends one message. Returns the id only after the platform accepted the message. */
export async function deliver(
  connector: TelegramConnector,
  to: Recipient,
  call: CommandCall,
  compose: (transfer: Transfer, receiver: Peer, randomId: BigInteger) => Promise<SendRequest>,
): Promise<MessageOutput> {
  const randomId = randomIdOf(connector.id, call.id);
  const [messageId = ""] = await deliverAll(connector, to, call, [randomId], (transfer, receiver) => compose(transfer, receiver, randomId));
  return { messageId };
}

/** Sends the messages of one request. Returns the ids only after the platform accepted all of them. */
export async function deliverAll(
  connector: TelegramConnector,
  to: Recipient,
  call: CommandCall,
  randomIds: readonly BigInteger[],
  compose: (transfer: Transfer, receiver: Peer) => Promise<SendRequest>,
): Promise<string[]> {
  // `call.log` is read only to log: it makes a logger.
  const { ending: signal, yieldLane } = call;
  const deadlineAt = performance.now() + sendTimeoutMs;
  const leftMs = (): number => Math.max(1, deadlineAt - performance.now());
  return sendUntilAccepted({ connector, to, call, randomIds, compose, signal, leftMs, yieldLane });
}
