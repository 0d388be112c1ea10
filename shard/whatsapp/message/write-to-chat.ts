import type { proto } from "@whiskeysockets/baileys";
import type { CommandCall } from "../../session/command.js";
import type { Recipient } from "../../../shared/contract/whatsapp/message.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { WriteToGroup } from "../group/write-to-group.js";
import { MessageRefused } from "../network/connection-error.js";
import { sentEntry } from "../history/sent-entry.js";
import { sendUntilAccepted } from "./send-until-accepted.js";
import { WriteToPerson } from "./write-to-person.js";

/** The platform's code for a first message of an account that may not begin chats. */
const restricted = "463";

/** A message on its way: its chat, and the id that each repeat of its command gives it. */
export interface Addressed {
  readonly to: Recipient;
  readonly jid: string;
  readonly messageId: string;
}

/** Sends what `compose` returns to a person or a group. Resolves when the platform's server has accepted it. */
export async function writeToChat(
  connector: WhatsAppConnector,
  { to, jid, messageId }: Addressed,
  { signal, yieldLane, isFirstTry }: Pick<CommandCall, "signal" | "yieldLane"> & { readonly isFirstTry?: boolean | undefined },
  compose: (client: Client) => Promise<proto.IMessage>,
): Promise<void> {
  const options = { chat: jid, messageId };
  const recipient = to.kind === "group" ? new WriteToGroup(connector, options) : new WriteToPerson(connector, options);
  try {
    await sendUntilAccepted({
      connector,
      messageId,
      signal,
      yieldLane,
      isFirstTry,
      costly: false,
      keep: true,
      compose,
      entry: () => sentEntry(connector, jid, messageId),
      write: (client, message, again) => recipient.write(client, message, again),
      reach: recipient.reach,
    });
  } catch (error) {
    // Stale group members may be the cause, so they are evicted.
    if (error instanceof MessageRefused) connector.account.groups.delete(jid);
    if (error instanceof MessageRefused && error.code === restricted) await connector.standing.refused(connector.account.client);
    throw error;
  }
}
