import type { BinaryNode } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import { messageNotFound } from "../../../shared/contract/whatsapp/errors.js";
import type { WhatsAppConnector } from "../connector.js";
import { sendUntilAccepted } from "../message/send-until-accepted.js";
import { MessageRefused } from "../network/connection-error.js";

/** A change that only the channel's administrators may make: `3` replaces the content, `8` deletes the post. */
export interface OwnPostChange {
  /** The id that the post was sent with. */
  readonly messageId: string;
  readonly edit: "3" | "8";
  readonly plaintext: Uint8Array;
}

/** Edits or deletes a post. Throws as `changePost` does. */
export async function changeOwnPost(
  connector: WhatsAppConnector,
  jid: string,
  { messageId, edit, plaintext }: OwnPostChange,
  call: ChangeCall,
): Promise<void> {
  if (!/^[0-9A-F]{16,64}$/i.test(messageId)) throw messageNotFound();
  const content = { tag: "plaintext", attrs: {}, content: plaintext };
  await changePost(connector, jid, { id: messageId, attrs: { type: "text", edit }, content }, call);
}

/** True for the number that a channel's list gives a post. */
export const isPostNumber = (text: string): boolean => /^[0-9]{1,10}$/.test(text);

/** A stanza about a post. The server acknowledges it by `id`. */
export interface PostChange {
  readonly id: string;
  readonly attrs: BinaryNode["attrs"];
  readonly content: BinaryNode;
}

/**
 * Writes a change of a channel's post, which is not encrypted. Resolves when the server has accepted it. Throws `message not found` if the
 * channel, or its post, does not exist.
 */
export async function changePost(
  connector: WhatsAppConnector,
  jid: string,
  { id, attrs, content }: PostChange,
  call: ChangeCall,
): Promise<void> {
  const { signal, isRepeat } = call;
  await connector.context.pace.count({ id: call.id, isRepeat }, () => undefined);
  try {
    await sendUntilAccepted({
      connector,
      messageId: id,
      signal,
      // The lane is kept: a repeat after a later change would undo it.
      yieldLane: () => undefined,
      costly: false,
      keep: false,
      compose: async () => ({}),
      write: (client) => client.sock.sendNode({ tag: "message", attrs: { id, to: jid, ...attrs }, content: [content] }),
    });
  } catch (error) {
    throw error instanceof MessageRefused && error.code === "404" ? messageNotFound(error) : error;
  }
}

type ChangeCall = Pick<CommandCall, "id" | "isRepeat" | "signal">;
