import { proto } from "@whiskeysockets/baileys";
import { internal } from "../../../shared/contract/whatsapp/errors.js";
import { untilAborted } from "../../flow/until-aborted.js";
import { type Client } from "../client.js";
import { ConnectionLost, MessageRefused, QueryTimeout } from "../network/connection-error.js";
import { type WhatsAppSession } from "../session.js";

export interface Delivery {
  readonly session: WhatsAppSession;
  readonly messageId: string;
  readonly signal: AbortSignal;
  /** False for channels: nobody asks for an unencrypted message again. */
  readonly keep: boolean;
  /** Makes the content, uploads included; not called when an earlier try of the same command has stored it. */
  readonly compose: (client: Client) => Promise<proto.IMessage>;
  /** Writes the message to the platform. */
  readonly write: (client: Client, message: proto.IMessage) => Promise<unknown>;
}

/**
 * Sends one message and resolves with its id when the platform's server has accepted it. The content is stored first: a recipient's device may ask
 * for it again. When the connection is lost meanwhile the same message goes out again under the same id on the next one, which recipients see
 * once; when there is no next one soon, the outcome is unknown and the error says nothing that would invite the caller to send it again.
 */
export async function deliver({ session, messageId, signal, keep, compose, write }: Delivery): Promise<string> {
  const { context, services } = session;
  const startedAt = performance.now();
  let outcome = "failed";
  try {
    let client = session.connected();
    const stored = keep ? await context.sent.read(messageId) : undefined;
    const message = stored === undefined ? await compose(client) : proto.Message.decode(stored);
    if (keep && stored === undefined) await context.sent.keep(messageId, Buffer.from(proto.Message.encode(message).finish()));
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      try {
        await writeAndWait(client, messageId, () => write(client, message), signal);
        outcome = "accepted";
        return messageId;
      } catch (error) {
        if (!(error instanceof ConnectionLost) || attempt === triesMax) throw error instanceof ConnectionLost ? internal(error) : error;
        client = await session.reconnected(services.timing.resendMs, signal).catch((cause: unknown) => {
          throw internal(cause);
        });
      }
    }
  } catch (error) {
    if (error instanceof MessageRefused) outcome = "refused";
    else if (error instanceof ConnectionLost || error instanceof QueryTimeout) outcome = "lost";
    throw error;
  } finally {
    services.metrics?.onSend?.(outcome, (performance.now() - startedAt) / 1000);
  }
}

const triesMax = 3;
/** The ear is at the door before the message goes out: the ack may come before the library says that it is written. */
async function writeAndWait(client: Client, messageId: string, write: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (!client.alive) throw new ConnectionLost(undefined);
  const answer = Promise.race([client.answerTo(messageId), untilAborted(signal)]);
  // A failed write is told by itself, below.
  answer.catch(() => undefined);
  await Promise.race([client.ask(write), answer]);
  const { tag, attrs } = await answer;
  const code = tag === "ack" ? attrs["error"] : undefined;
  if (code !== undefined) throw new MessageRefused(code);
}
