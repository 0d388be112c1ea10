import { Api } from "telegram";
import { internal, sendTimeout, sessionNotConnected } from "../../../shared/contract/telegram/errors.js";
import type { Recipient } from "../../../shared/contract/telegram/message.js";
import type { BigInteger } from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import type { CommandCall } from "../../session/command.js";
import { notifyWhenSlow } from "../../flow/notify-when-slow.js";
import type { Client } from "../client.js";
import { errorName } from "../errors.js";
import type { Transfer } from "../media/transfer.js";
import { isPartMissing } from "../media/upload.js";
import { CallTimeout, ConnectionLost } from "../network/connection-error.js";
import type { Peer } from "../peers.js";
import type { TelegramConnector } from "../connector.js";
import { contactOf, type Person } from "./contact.js";
import { findReceiver, receiverError } from "./find-receiver.js";
import type { SendRequest } from "./send-request.js";
import { findSent, sentIds } from "./sent-message.js";

export interface OutgoingMessage {
  readonly connector: TelegramConnector;
  readonly to: Recipient;
  /** Builds the request, uploads included. */
  readonly compose: (transfer: Transfer, receiver: Peer) => Promise<SendRequest>;
  readonly call: Pick<CommandCall, "id" | "isRepeat" | "signal" | "log">;
  /** One for each message of the request. */
  readonly randomIds: readonly BigInteger[];
  readonly signal: Ending;
  /** Milliseconds until the command's deadline, at least 1. */
  readonly leftMs: () => number;
  /** See `CommandCall`. */
  readonly yieldLane: () => void;
}

/**
 * Sends the messages of one request and resolves with their ids, empty where an id cannot be found. Repeats it after a lost connection or
 * reply; the platform accepts a random id once. An unknown outcome gives an error that invites no retry.
 */
export async function sendUntilAccepted(message: OutgoingMessage): Promise<string[]> {
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
  const contact = (): Person | undefined => contactOf(connector, peer, signal);
  await connector.context.health.admit(call.isRepeat, contact);
  await connector.context.pace.count(call, contact);
  return { peer, request: await compose(new MessageTransfer(connector, client, leftMs, call), peer) };
}

/** A class, because an object with a getter of its own is slow to make. */
class MessageTransfer implements Transfer {
  constructor(
    readonly connector: TelegramConnector,
    readonly client: Client,
    readonly leftMs: () => number,
    private readonly call: OutgoingMessage["call"],
  ) {}

  /** Read only for files. */
  get signal(): AbortSignal {
    return this.call.signal;
  }
}

async function send(message: OutgoingMessage, client: Client, outgoing: Outgoing): Promise<string[]> {
  const ids = await accepted(message, client, outgoing);
  return message.randomIds.map((randomId, at) => {
    const id = ids[at];
    if (id === undefined) return "";
    message.connector.sent.add(outgoing.peer.id, id, randomId);
    return String(id);
  });
}

/** Resolves when the platform has the messages, with those of their ids that can be found. */
async function accepted(
  { connector, to, call, randomIds, signal, leftMs, yieldLane }: OutgoingMessage,
  client: Client,
  { peer, request }: Outgoing,
): Promise<readonly (number | undefined)[]> {
  try {
    const { replyMs } = connector.services.timing;
    // The platform may need time for a file. If repeated too early, it could not name the message yet.
    const afterMs = request instanceof Api.messages.SendMedia || request instanceof Api.messages.SendMultiMedia ? 4 * replyMs : replyMs;
    const response = await client.invoke(request, { signal, deadlineMs: leftMs(), again: { afterMs, onRepeat: yieldLane } });
    return sentIds(response, randomIds);
  } catch (error) {
    if (errorName(error) !== "RANDOM_ID_DUPLICATE") throw await receiverError(connector, client, { to, peer, signal }, error);
    const isOther = (message: number, at: number): boolean => isOfAnother(connector, peer, message, randomIds[at]);
    const ids = await findSent(client, request, connector.self(), isOther, signal);
    if (ids.length < randomIds.length) call.log.warn("message id not found in record");
    return ids;
  }
}

function isOfAnother({ sent }: TelegramConnector, peer: Peer, message: number, randomId: BigInteger | undefined): boolean {
  return randomId === undefined || sent.isOfAnother(peer.id, message, randomId);
}
