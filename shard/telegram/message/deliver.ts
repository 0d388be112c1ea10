import { Api } from "telegram";
import { internal, sendTimeout, sessionNotConnected } from "../../../shared/contract/telegram/errors.js";
import { type MessageInput } from "../../../shared/contract/telegram/message.js";
import { type BigInteger } from "big-integer";
import { type Client } from "../client.js";
import { errorName } from "../errors.js";
import { CallTimeout, ConnectionLost } from "../network/connection-error.js";
import { type Peer } from "../peers.js";
import { type TelegramSession } from "../session.js";
import { composeMessage, type SendRequest } from "./compose.js";
import { findReceiver, receiverError } from "./find-receiver.js";
import { findSent, sentId } from "./sent-message.js";

export interface Delivery {
  readonly session: TelegramSession;
  readonly input: MessageInput;
  readonly randomId: BigInteger;
  readonly signal: AbortSignal;
  /** Milliseconds until the command's deadline, at least 1. */
  readonly leftMs: () => number;
}

/**
 * Sends one message and resolves with the id that the platform gave it. When the connection is lost meanwhile the same request goes out again on the
 * next one, and when no answer to a text comes for long, on the same one; under its random id the platform takes it once. When there is no next one soon, the outcome is unknown and the error says nothing that
 * would invite the caller to send it again. Empty when the platform has the message and its id cannot be found.
 */
export async function deliver(delivery: Delivery): Promise<string> {
  const { session, signal } = delivery;
  let client = session.connected();
  let outgoing: Outgoing | undefined;
  let sent = false;
  for (let attempt = 1; ; attempt++) {
    try {
      outgoing ??= await prepare(delivery, client);
      signal.throwIfAborted();
      sent = true;
      return await send(delivery, client, outgoing);
    } catch (error) {
      if (error instanceof CallTimeout && sent) {
        if (delivery.leftMs() <= 1) throw sendTimeout();
        // The answer alone was lost, or the request: on the same connection, which counts as no further try.
        attempt--;
        continue;
      }
      if (!(error instanceof ConnectionLost)) throw error;
      if (attempt === triesMax) throw sent ? internal(error) : error;
      client = await session.reconnected(session.services.timing.resendMs, signal).catch((cause: unknown) => {
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

async function prepare({ session, input, randomId, signal, leftMs }: Delivery, client: Client): Promise<Outgoing> {
  const peer = await findReceiver(session, client, input.to, signal);
  return { peer, request: await composeMessage({ session, client, signal, leftMs }, peer, input, randomId) };
}

async function send({ session, input, randomId, signal, leftMs }: Delivery, client: Client, { peer, request }: Outgoing): Promise<string> {
  try {
    // Of a file the platform may take its time; asked again too early, it could not name the message yet.
    const isText = request instanceof Api.messages.SendMessage;
    const answer = await client.invoke(request, { signal, deadlineMs: leftMs(), ...(isText && { answerMs: session.services.timing.answerMs }) });
    const id = sentId(answer, randomId);
    return id === undefined ? "" : String(id);
  } catch (error) {
    if (errorName(error) !== "RANDOM_ID_DUPLICATE") throw receiverError(session, input.to, peer, error);
    const id = await findSent(client, request, signal);
    if (id === undefined) session.context.log.warn("id of a message that was sent before is not to be found");
    return id === undefined ? "" : String(id);
  }
}
