import { proto, type BinaryNode } from "@whiskeysockets/baileys";
import { internal } from "../../../shared/contract/whatsapp/errors.js";
import { endsWithin } from "../../../shared/flow/ends-within.js";
import { tellWhenSlow } from "../../flow/tell-when-slow.js";
import { untilAborted } from "../../../shared/flow/abort-scope.js";
import type { Reach } from "../addressing/reach.js";
import type { Client } from "../client.js";
import { ConnectionLost, MessageRefused, QueryTimeout } from "../network/connection-error.js";
import { isTransient, retrying } from "../network/transient.js";
import type { WhatsAppConnector } from "../connector.js";

export interface OutgoingMessage {
  readonly connector: WhatsAppConnector;
  readonly messageId: string;
  readonly signal: AbortSignal;
  /** See `CommandCall`. */
  readonly yieldLane: () => void;
  readonly isFirstTry?: boolean | undefined;
  /** True for a message to thousands: it is encrypted for each of them again, so it waits four times as long before it goes out again. */
  readonly costly: boolean;
  /** False for channels: nobody asks for an unencrypted message again. */
  readonly keep: boolean;
  /** Makes the content, uploads included; not called when an earlier try of the same command has stored it. */
  readonly compose: (client: Client) => Promise<proto.IMessage>;
  /** Writes the message to the platform; `again` when nobody knows whether an earlier write arrived. */
  readonly write: (client: Client, message: proto.IMessage, again: boolean) => Promise<unknown>;
  /** For a message that is encrypted for devices; channels have none. */
  readonly reach?: Reach;
}

/**
 * Sends one message and resolves with its id when the platform's server has accepted it. The content is stored first: a recipient's device may ask
 * for it again. A message whose ack does not come goes out again under the same id, which recipients see once: on the next connection when this one is
 * lost, on this one when it lives; in the second case the session's other commands need not wait for the end of it. Without a next connection soon the
 * outcome is unknown, and the error says nothing that would invite the caller to send it again.
 */
export async function sendUntilAccepted(outgoing: OutgoingMessage): Promise<string> {
  const { connector, messageId, signal, yieldLane, isFirstTry = false, keep, compose } = outgoing;
  const { context, services } = connector;
  const startedAt = performance.now();
  let outcome = "failed";
  try {
    let client = connector.connected();
    const stored = keep && !isFirstTry ? await context.sent.read(messageId) : undefined;
    const message =
      stored === undefined ? await tellWhenSlow(compose(client), yieldLane, services.timing.composeMs) : proto.Message.decode(stored);
    if (keep && stored === undefined) await context.sent.keep(messageId, Buffer.from(proto.Message.encode(message).finish()));
    let writes = 0;
    const write = (): Promise<BinaryNode["attrs"]> => {
      signal.throwIfAborted();
      return writeUntilAnswered(client, outgoing, message, writes++ > 0 || stored !== undefined);
    };
    for (let attempt = 1; ; attempt++) {
      try {
        const { phash } = await retrying(write, isRefusedForNow, signal);
        outcome = "accepted";
        if (phash !== undefined) await complete(outgoing, client, message, phash);
        return messageId;
      } catch (error) {
        outcome = outcomeOf(error, signal);
        if (await isAddressedAnew(outgoing, client, error)) continue;
        if (!(error instanceof ConnectionLost)) throw error;
        const next = attempt === connectionsMax ? undefined : await connector.reconnected(services.timing.resendMs, signal);
        if (next === undefined) throw internal(error);
        client = next;
      }
    }
  } finally {
    services.metrics?.onSend?.(outcome, (performance.now() - startedAt) / 1000);
  }
}

const connectionsMax = 3;

/** The platform's code for a message that names devices which are not its recipients' any more, or a number among them; also for a malformed one. */
const staleDevices = "479";
/** For a message by number of a migrated account, and for one that the account may not send. */
const restricted = "463";

/** True when the platform refused the message for its addresses, and those are others by now: it must be encrypted again. */
async function isAddressedAnew({ reach, connector }: OutgoingMessage, client: Client, error: unknown): Promise<boolean> {
  if (reach === undefined || !(error instanceof MessageRefused)) return false;
  const { code } = error;
  try {
    if ((code === restricted || code === staleDevices) && !client.lidMigrated) {
      await client.readMigration();
      if (client.lidMigrated) return true;
    }
    return code === staleDevices && (await reach.hasChanged(client));
  } catch (failure) {
    // The caller reads why the message was refused.
    connector.context.log.info({ err: failure }, "address lookup retry failed");
    return false;
  }
}

/** The message is accepted, so a failure here is nobody's error: the next message asks for the devices anyway. */
async function complete({ reach, connector }: OutgoingMessage, client: Client, message: proto.IMessage, phash: string): Promise<void> {
  await reach?.complete(client, message, phash).catch((error: unknown) => {
    connector.context.log.info({ err: error }, "message not sent to missed devices");
  });
}

/** The server has not taken the message, for reasons of its own. */
function isRefusedForNow(error: unknown): boolean {
  return error instanceof MessageRefused && isTransient(Number(error.code));
}

function outcomeOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof MessageRefused) return "refused";
  return signal.aborted || error instanceof ConnectionLost || error instanceof QueryTimeout ? "lost" : "failed";
}

/** Listens before the message goes out: the ack may come before the library says that it is written. */
async function writeUntilAnswered(
  client: Client,
  { connector, messageId, signal, yieldLane, costly, write }: OutgoingMessage,
  message: proto.IMessage,
  again: boolean,
): Promise<BinaryNode["attrs"]> {
  if (!client.alive) throw new ConnectionLost(undefined);
  const told = client.answers.to(messageId);
  try {
    const answer = untilAborted(told.answer, signal);
    // A failed write is told by itself, below.
    answer.catch(() => undefined);
    for (let waitMs = connector.services.timing.ackMs, repeat = again; ; waitMs *= 2, repeat = true) {
      await Promise.race([client.ask(() => write(client, message, repeat)), answer]);
      if (await endsWithin(answer, waitMs)) break;
      client.probe();
      yieldLane();
      if (costly && (await endsWithin(answer, 3 * waitMs))) break;
    }
    const { tag, attrs } = await answer;
    const code = tag === "ack" ? attrs["error"] : undefined;
    if (code !== undefined) throw new MessageRefused(code);
    return attrs;
  } finally {
    told.forget();
  }
}
