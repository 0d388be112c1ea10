import type { BinaryNode, proto } from "@whiskeysockets/baileys";
import { Reach } from "../addressing/reach.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { userJid, userOf } from "../jid.js";

export interface WriteOptions {
  readonly chat: string;
  readonly messageId: string;
}

/** Writes a message to one person: to all of their devices, and to the account's other devices. */
export class WriteToPerson {
  readonly reach: Reach;
  private address: string;
  private people: readonly string[] = [];
  private devices: readonly string[] = [];

  constructor(
    private readonly connector: WhatsAppConnector,
    private readonly options: WriteOptions,
  ) {
    const { chat } = options;
    this.address = chat;
    this.reach = new Reach({
      chat,
      lists: connector.account.devices,
      people: async () => this.people,
      devices: async () => this.devices,
      resend: (client, message, devices) => this.resend(client, message, devices),
    });
  }

  async write(client: Client, message: proto.IMessage): Promise<void> {
    const { account } = this.connector;
    const { chat, messageId } = this.options;
    this.address = await account.addresses.one(client, chat);
    const own = userJid(this.address.endsWith("@lid") ? client.me.lid : client.me.id);
    this.people = [own, this.address];
    // Reads all devices first: the library then finds them in memory and sends no query twice.
    this.devices = await account.devices.of(client, this.people);
    await client.relay(this.address, message, { messageId, nodes: await this.tokens(client), ...this.attributes() });
  }

  private async resend(client: Client, message: proto.IMessage, devices: readonly string[]): Promise<void> {
    const { messageId } = this.options;
    const nodes = await this.tokens(client);
    for (const jid of devices) {
      // The account's own devices need the chat's JID, which the library adds only for phone numbers.
      const additionalAttributes = userOf(jid) === userOf(client.me.lid) ? { recipient: this.address } : {};
      await client.relay(this.address, message, { messageId, nodes, participant: { jid, count: 1 }, additionalAttributes });
    }
  }

  /** Returns the token nodes for the address that the message uses. */
  private tokens(client: Client): Promise<BinaryNode[]> {
    return this.connector.contactTokens.nodesFor(client, this.address);
  }

  /** The platform's own clients add the phone number to a message that is addressed to an anonymous id. */
  private attributes(): { readonly additionalAttributes?: { [name: string]: string } } {
    const { chat } = this.options;
    return this.address === chat ? {} : { additionalAttributes: { peer_recipient_pn: chat } };
  }
}
