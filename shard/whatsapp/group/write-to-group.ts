import type { proto } from "@whiskeysockets/baileys";
import { Reach } from "../addressing/reach.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { relayToGroup } from "./relay-to-group.js";
import { rememberGroup } from "./remember-group.js";

export interface GroupWriteOptions {
  readonly chat: string;
  readonly messageId: string;
}

/** Writes a message to a group: devices that lack the account's key for it get the key with the message. */
export class WriteToGroup {
  readonly reach: Reach;

  constructor(
    private readonly connector: WhatsAppConnector,
    private readonly options: GroupWriteOptions,
  ) {
    this.reach = new Reach({
      chat: options.chat,
      lists: connector.account.devices,
      people: (client) => this.members(client),
      forget: () => connector.account.groups.delete(options.chat),
      devices: () => connector.account.holdersOf(options.chat),
      resend: (client, message, devices) => this.resend(client, message, devices),
    });
  }

  async write(client: Client, message: proto.IMessage, again: boolean): Promise<void> {
    const { account } = this.connector;
    const { chat, messageId } = this.options;
    await rememberGroup(account.groups, client, chat);
    // The group's key went out with a message that may have been lost. Without the key, members could not read this message.
    if (again) await client.sock.authState.keys.set({ "sender-key-memory": { [chat]: null } });
    await relayToGroup(this.connector, client, chat, message, messageId);
    account.keyedGroups.check(chat);
  }

  private async members(client: Client): Promise<string[]> {
    const { participants } = await rememberGroup(this.connector.account.groups, client, this.options.chat);
    return participants.map(({ id }) => id);
  }

  private async resend(client: Client, message: proto.IMessage, devices: readonly string[]): Promise<void> {
    const { chat, messageId } = this.options;
    for (const jid of devices) await client.relay(chat, message, { messageId, participant: { jid, count: 1 } });
  }
}
