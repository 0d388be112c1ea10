import type { proto } from "@whiskeysockets/baileys";
import { Reach } from "../addressing/reach.js";
import type { Client } from "../client.js";
import type { WhatsAppConnector } from "../connector.js";
import { statusJid } from "../group/departures.js";
import { userJid } from "../jid.js";
import { prepareRecipients } from "./prepare-recipients.js";

export interface StatusWriteOptions {
  /** JIDs of the people who see the status. */
  readonly audience: readonly string[];
  readonly messageId: string;
  readonly signal: AbortSignal;
}

/** Writes a status to all devices of its audience. */
export class WriteStatus {
  readonly reach: Reach;
  private people: readonly string[] = [];
  private devices: readonly string[] = [];

  constructor(
    private readonly connector: WhatsAppConnector,
    private readonly options: StatusWriteOptions,
  ) {
    this.reach = new Reach({
      chat: statusJid,
      lists: connector.account.devices,
      people: async () => this.people,
      devices: async () => this.devices,
      resend: (client, message, devices) => this.relay(client, message, [...new Set(devices.map(userJid))], devices),
    });
  }

  async write(client: Client, message: proto.IMessage): Promise<void> {
    const { account } = this.connector;
    const { audience, signal } = this.options;
    this.people = await account.addresses.all(client, audience);
    this.devices = await prepareRecipients(client, this.people, account.devices, signal);
    await this.relay(client, message, this.people, this.devices);
  }

  private async relay(client: Client, message: proto.IMessage, audience: readonly string[], devices: readonly string[]): Promise<void> {
    const { messageId } = this.options;
    const additionalAttributes = client.lidMigrated ? { addressing_mode: "lid" } : {};
    await client.relayStatus(audience, message, { messageId, devices, additionalAttributes });
  }
}
