import { proto, type BinaryNode } from "@whiskeysockets/baileys";
import { internal } from "../../../shared/contract/whatsapp/errors.js";
import { endsWithin } from "../../../shared/flow/ends-within.js";
import { notifyWhenSlow } from "../../flow/notify-when-slow.js";
import { untilAborted } from "../../../shared/flow/abort-scope.js";
import type { Reach } from "../addressing/reach.js";
import type { Client } from "../client.js";
import type { UpdateEvent } from "../../session/session-context.js";
import { addToHistory } from "../history/add-to-history.js";
import type { SentEntry } from "../history/sent-entry.js";
import { takenBack } from "../history/taken-back.js";
import { ConnectionLost, MessageRefused, QueryTimeout } from "../network/connection-error.js";
import { encodeBeforeRelay } from "../network/relayed-message.js";
import { isTransient, retrying } from "../network/transient.js";
import type { WhatsAppConnector } from "../connector.js";
import type { SendOutcome } from "../services.js";

export interface OutgoingMessage {
  readonly connector: WhatsAppConnector;
  readonly messageId: string;
  readonly signal: AbortSignal;
  /** See `CommandCall`. */
  readonly yieldLane: () => void;
  readonly isFirstTry?: boolean | undefined;
  /** True for a message to thousands: each resend encrypts it for all of them again, so it waits four times as long. */
  readonly costly: boolean;
  /** False for channels: clients never request an unencrypted message again. */
  readonly keep: boolean;
  /** Builds the content, uploads included. Not called when an earlier try of the same command has stored it. */
  readonly compose: (client: Client) => Promise<proto.IMessage>;
  /** Prepares what the session's history keeps of the message. Absent: nothing. */
  readonly entry?: () => Promise<SentEntry>;
  /** Writes the message to the platform; `again` when it is unknown whether an earlier write arrived. */
  readonly write: (client: Client, message: proto.IMessage, again: boolean) => Promise<unknown>;
  /** Set for a message that is encrypted for devices; channels have none. */
  readonly reach?: Reach;
}

/**
 * Sends one message and resolves with its id when the server has accepted it. Stores the content first, because devices may request it
 * again. Resends under the same id until the ack arrives; without a new connection soon it throws an internal error.
 */
export async function sendUntilAccepted(outgoing: OutgoingMessage): Promise<string> {
  const { connector, messageId, signal, yieldLane, isFirstTry = false, keep, compose } = outgoing;
  const { context, services } = connector;
  const startedAt = performance.now();
  let outcome: SendOutcome = "failed";
  let entry: UpdateEvent | undefined;
  try {
    let client = connector.connected();
    const preparing = outgoing.entry?.();
    preparing?.catch(() => undefined);
    const stored = keep && !isFirstTry ? await context.sent.read(messageId) : undefined;
    const message =
      stored === undefined ? await notifyWhenSlow(compose(client), yieldLane, services.timing.composeMs) : proto.Message.decode(stored);
    if (stored === undefined) entry = (await preparing)?.(message);
    if (keep && stored === undefined) await context.sent.keep(messageId, encodeBeforeRelay(message), entry);
    let writes = 0;
    const write = (): Promise<BinaryNode["attrs"]> => {
      signal.throwIfAborted();
      return writeUntilAcked(client, outgoing, message, writes++ > 0 || stored !== undefined);
    };
    for (let attempt = 1; ; attempt++) {
      try {
        const { phash } = await retrying(write, isRefusedForNow, signal);
        outcome = "accepted";
        if (!keep && entry !== undefined) addToHistory(context, entry);
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
    // The history has the message since before it was written.
    if (outcome === "refused" && keep && entry !== undefined) addToHistory(context, takenBack(entry));
    services.metrics?.onSend?.(outcome, (performance.now() - startedAt) / 1000);
  }
}

const connectionsMax = 3;

/** The platform's code for a message with stale devices or one phone number among anonymous ids, and for a malformed message. */
const staleDevices = "479";
/** The platform's code for a message to a phone number from a migrated account, and for a message that the account may not send. */
const restricted = "463";

/**
 * True when the platform refused the message because of its addresses and the addresses have changed since, so the message must be
 * encrypted again.
 */
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
    // The caller gets the original refusal instead of this error.
    connector.context.log.info({ err: failure }, "address lookup retry failed");
    return false;
  }
}

/**
 * Sends to devices that the message missed. The message is already accepted, so a failure is only logged; the next message reads the
 * devices again.
 */
async function complete({ reach, connector }: OutgoingMessage, client: Client, message: proto.IMessage, phash: string): Promise<void> {
  await reach?.complete(client, message, phash).catch((error: unknown) => {
    connector.context.log.info({ err: error }, "message not sent to missed devices");
  });
}

/** True when the server refused the message because of a temporary failure of its own. */
function isRefusedForNow(error: unknown): boolean {
  return error instanceof MessageRefused && isTransient(Number(error.code));
}

function outcomeOf(error: unknown, signal: AbortSignal): SendOutcome {
  if (error instanceof MessageRefused) return "refused";
  return signal.aborted || error instanceof ConnectionLost || error instanceof QueryTimeout ? "lost" : "failed";
}

/** Subscribes before the message goes out: the ack may arrive before the library reports the write. */
async function writeUntilAcked(
  client: Client,
  { connector, messageId, signal, yieldLane, costly, write }: OutgoingMessage,
  message: proto.IMessage,
  again: boolean,
): Promise<BinaryNode["attrs"]> {
  if (!client.alive) throw new ConnectionLost(undefined);
  const pending = client.acks.to(messageId);
  try {
    const ack = untilAborted(pending.ack, signal);
    // The race below reports a failed write, so this rejection is handled there.
    ack.catch(() => undefined);
    for (let waitMs = connector.services.timing.ackMs, repeat = again; ; waitMs *= 2, repeat = true) {
      await Promise.race([client.runQuery(() => write(client, message, repeat)), ack]);
      if (await endsWithin(ack, waitMs)) break;
      client.probe();
      yieldLane();
      if (costly && (await endsWithin(ack, 3 * waitMs))) break;
    }
    const { tag, attrs } = await ack;
    const code = tag === "ack" ? attrs["error"] : undefined;
    if (code !== undefined) throw new MessageRefused(code);
    return attrs;
  } finally {
    pending.forget();
  }
}
