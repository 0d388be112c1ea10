import type { proto } from "@whiskeysockets/baileys";
import { Reach } from "../addressing/reach.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { userJid, userOf } from "../jid.js";

export interface WriteOptions {
  readonly chat: string;
  readonly messageId: string;
}

/** Writes a message to one person: to all of their devices, and to the account's own other ones. */
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
    // The library then finds all of them in memory, and does not ask twice for one.
    this.devices = await account.devices.of(client, this.people);
    const nodes = await this.connector.strangerTokens.nodesFor(client, this.address);
    await client.relay(this.address, message, { messageId, nodes, ...this.attributes() });
  }

  private async resend(client: Client, message: proto.IMessage, devices: readonly string[]): Promise<void> {
    const { messageId } = this.options;
    for (const jid of devices) {
      // Own devices read in which chat it is; the library says so for numbers only.
      const additionalAttributes = userOf(jid) === userOf(client.me.lid) ? { recipient: this.address } : {};
      await client.relay(this.address, message, { messageId, participant: { jid, count: 1 }, additionalAttributes });
    }
  }

  /** The platform's own clients name the number beside an anonymous id. */
  private attributes(): { readonly additionalAttributes?: { [name: string]: string } } {
    const { chat } = this.options;
    return this.address === chat ? {} : { additionalAttributes: { peer_recipient_pn: chat } };
  }
}
