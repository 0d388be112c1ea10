import { Api } from "telegram";
import { internal, sendTimeout, sessionNotConnected } from "../../../shared/contract/telegram/errors.js";
import type { Recipient } from "../../../shared/contract/telegram/message.js";
import type { Log } from "../../../shared/log/logger.js";
import type { BigInteger } from "big-integer";
import type { CommandCall } from "../../session/command.js";
import { notifyWhenSlow } from "../../flow/notify-when-slow.js";
import type { Client } from "../client.js";
import { errorName } from "../errors.js";
import type { Transfer } from "../media/transfer.js";
import { isPartMissing } from "../media/upload.js";
import { CallTimeout, ConnectionLost } from "../network/connection-error.js";
import type { Peer } from "../peers.js";
import type { TelegramConnector } from "../connector.js";
import { contactOf } from "./contact.js";
import { findReceiver, receiverError } from "./find-receiver.js";
import type { SendRequest } from "./send-request.js";
import { findSent, sentId } from "./sent-message.js";

export interface OutgoingMessage {
  readonly connector: TelegramConnector;
  readonly to: Recipient;
  /** Builds the request, uploads included. */
  readonly compose: (transfer: Transfer, receiver: Peer) => Promise<SendRequest>;
  readonly call: Pick<CommandCall, "id" | "isRepeat">;
  readonly randomId: BigInteger;
  readonly signal: AbortSignal;
  /** Milliseconds until the command's deadline, at least 1. */
  readonly leftMs: () => number;
  /** See `CommandCall`. */
  readonly yieldLane: () => void;
  readonly log: Log;
}

/**
 * Sends one message and resolves with its id, empty when the id cannot be found. Repeats it after a lost connection or reply; the platform
 * accepts its random id once. An unknown outcome gives an error that invites no retry.
 */
export async function sendUntilAccepted(message: OutgoingMessage): Promise<string> {
  const { connector, signal } = message;
  let client = connector.connected();
  let outgoing: Outgoing | undefined;
  let sent = false;
  for (let attempt = 1; ; attempt++) {
    try {
      outgoing ??= await notifyWhenSlow(prepare(message, client), message.yieldLane, connector.services.timing.composeMs);
      signal.throwIfAborted();
      sent = true;
      return await send(message, client, outgoing);
    } catch (error) {
      if (error instanceof CallTimeout && sent) throw sendTimeout();
      // The platform lost a part of the upload and accepted nothing, so the file is uploaded once more.
      if (isPartMissing(error) && attempt < triesMax) {
        outgoing = undefined;
        sent = false;
        continue;
      }
      if (!(error instanceof ConnectionLost)) throw error;
      if (attempt === triesMax) throw sent ? internal(error) : error;
      client = await connector.reconnected(connector.services.timing.resendMs, signal).catch((cause: unknown) => {
        throw sent ? internal(cause) : sessionNotConnected(cause);
      });
    }
  }
}

const triesMax = 3;

interface Outgoing {
  readonly peer: Peer;
  readonly request: SendRequest;
}

async function prepare({ connector, call, to, compose, signal, leftMs }: OutgoingMessage, client: Client): Promise<Outgoing> {
  const peer = await findReceiver(connector, client, to, { signal, leftMs });
  await connector.context.pace.count(call, () => contactOf(connector, peer));
  return { peer, request: await compose({ connector, client, signal, leftMs }, peer) };
}

async function send(message: OutgoingMessage, client: Client, outgoing: Outgoing): Promise<string> {
  const id = await accepted(message, client, outgoing);
  if (id === undefined) return "";
  message.connector.sent.add(outgoing.peer.id, id, message.randomId);
  return String(id);
}

/** Resolves when the platform has the message, with its id if that can be found. */
async function accepted(
  { connector, to, randomId, signal, leftMs, yieldLane, log }: OutgoingMessage,
  client: Client,
  { peer, request }: Outgoing,
): Promise<number | undefined> {
  try {
    const { replyMs } = connector.services.timing;
    // The platform may need time for a file. If repeated too early, it could not name the message yet.
    const afterMs = request instanceof Api.messages.SendMedia ? 4 * replyMs : replyMs;
    const response = await client.invoke(request, { signal, deadlineMs: leftMs(), again: { afterMs, onRepeat: yieldLane } });
    return sentId(response, randomId);
  } catch (error) {
    if (errorName(error) !== "RANDOM_ID_DUPLICATE") throw await receiverError(connector, client, { to, peer, signal }, error);
    const id = await findSent(client, request, (message) => connector.sent.isOfAnother(peer.id, message, randomId), signal);
    if (id === undefined) log.warn("message id not found in record");
    return id;
  }
}
