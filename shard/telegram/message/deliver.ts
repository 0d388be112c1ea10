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
  const { id, signal, yieldLane, log } = call;
  const deadlineAt = performance.now() + sendTimeoutMs;
  const leftMs = (): number => Math.max(1, deadlineAt - performance.now());
  const randomId = randomIdOf(connector.id, id);
  const outgoing = { connector, to, call, randomId, signal, leftMs, yieldLane, log };
  return { messageId: await sendUntilAccepted({ ...outgoing, compose: (transfer, receiver) => compose(transfer, receiver, randomId) }) };
}
