import type { proto } from "@whiskeysockets/baileys";
import type { Client } from "../client.js";
import type { DeviceLists } from "./device-lists.js";
import { participantHash } from "./participant-hash.js";

export interface ReachOptions {
  readonly chat: string;
  readonly lists: DeviceLists;
  /** Returns the people (JIDs) that the message is for. */
  readonly people: (client: Client) => Promise<readonly string[]>;
  /** Evicts the remembered people, where the platform decides who they are. */
  readonly forget?: () => void;
  /** Returns the devices (JIDs) that can read the message as last written. */
  readonly devices: () => Promise<readonly string[]>;
  /** Sends the same message to these devices alone. */
  readonly resend: (client: Client, message: proto.IMessage, devices: readonly string[]) => Promise<void>;
}

/** Keeps one message in step with the devices of its recipients, when the server's ack shows that our lists of them are stale. */
export class Reach {
  private renewed = false;

  constructor(private readonly options: ReachOptions) {}

  /**
   * After ack 479: reads the devices again, once for each message. Returns true when they differ from the devices that the message was
   * written for.
   */
  async hasChanged(client: Client): Promise<boolean> {
    if (this.renewed) return false;
    this.renewed = true;
    const before = new Set(withoutOwn(client, await this.options.devices()));
    const present = withoutOwn(client, await this.refresh(client));
    return present.length !== before.size || present.some((device) => !before.has(device));
  }

  /** After an accepting ack with a `phash`: if it is not the hash of the devices that got the message, sends it to the missing devices. */
  async complete(client: Client, message: proto.IMessage, hash: string): Promise<void> {
    const { chat, lists, resend } = this.options;
    if (lists.isUnexplained(chat, hash)) return;
    const devices = await this.options.devices();
    if (hashesOf(client, devices).includes(hash)) return;
    const present = await this.refresh(client);
    if (!hashesOf(client, present).includes(hash)) lists.leaveUnexplained(chat, hash);
    const reached = new Set(devices);
    const missing = withoutOwn(client, present).filter((device) => !reached.has(device));
    if (missing.length > 0) await resend(client, message, missing);
  }

  private async refresh(client: Client): Promise<string[]> {
    const { lists, forget } = this.options;
    forget?.();
    const people = await this.options.people(client);
    await lists.forget(client, people);
    return await lists.of(client, people);
  }
}

function withoutOwn({ me }: Client, devices: readonly string[]): string[] {
  return devices.filter((device) => device !== me.id && device !== me.lid);
}

/** Returns both possible hashes: clients differ in whether the list includes the sending device. */
function hashesOf(client: Client, devices: readonly string[]): string[] {
  const others = withoutOwn(client, devices);
  const own = others.some((device) => device.endsWith("@lid")) ? client.me.lid : client.me.id;
  return [participantHash(others), participantHash([...others, own])];
}
