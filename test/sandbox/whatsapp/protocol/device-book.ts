/** The linked devices of all accounts, and their form on disk. */
import type { BinaryNode } from "@whiskeysockets/baileys";
import type { Connection, Device, OneTimePreKey, PairedDevice, SignedPreKey, User } from "../whatsapp-backend.js";
import { decodeNode, encodeNode } from "./transport/node-codec.js";

export class DeviceRecord implements Device {
  readonly phone: string;
  readonly lid: string;
  readonly number: number;
  readonly noiseKey: Buffer;
  readonly identity: Buffer;
  registrationId: number;
  signedPreKey: SignedPreKey;
  readonly preKeys: OneTimePreKey[];
  readonly pairedAt: number;
  fresh: boolean;
  removed = false;
  connection: Connection | undefined;
  /** The client was notified that its prekeys run low, and has not uploaded any since. */
  toldPreKeysLow = false;
  /** The client has completed its login and received its queued stanzas. */
  active = false;
  /** Stanzas that the device has not confirmed, oldest first, sent or not. */
  readonly waiting: BinaryNode[];

  constructor(stored: PairedDevice) {
    this.phone = stored.phone;
    this.lid = stored.lid;
    this.number = stored.number;
    this.noiseKey = fromBase64(stored.noiseKey);
    this.identity = fromBase64(stored.identity);
    this.registrationId = stored.registrationId;
    const { id, value, signature } = stored.signedPreKey;
    this.signedPreKey = { id: fromBase64(id), value: fromBase64(value), signature: fromBase64(signature) };
    this.preKeys = stored.preKeys.map((key) => ({ id: fromBase64(key.id), value: fromBase64(key.value) }));
    this.pairedAt = stored.pairedAt;
    this.fresh = stored.fresh;
    this.waiting = (stored.waiting ?? []).map((text) => decodeNode(fromBase64(text)));
  }

  get jid(): string {
    return `${this.phone}:${this.number}@s.whatsapp.net`;
  }

  get lidJid(): string {
    return `${this.lid}:${this.number}@lid`;
  }

  toStored(): PairedDevice {
    const { phone, lid, number, registrationId, pairedAt, fresh } = this;
    const { id, value, signature } = this.signedPreKey;
    return {
      phone,
      lid,
      number,
      noiseKey: toBase64(this.noiseKey),
      identity: toBase64(this.identity),
      registrationId,
      signedPreKey: { id: toBase64(id), value: toBase64(value), signature: toBase64(signature) },
      preKeys: this.preKeys.map((key) => ({ id: toBase64(key.id), value: toBase64(key.value) })),
      pairedAt,
      fresh,
      ...(this.waiting.length > 0 && { waiting: this.waiting.map((stanza) => toBase64(encodeNode(stanza))) }),
    };
  }
}

/** The stored state of one account. */
export interface StoredDevices {
  readonly phone: string;
  /** Number of the next device. A removed device's number is never reused. */
  readonly next: number;
  readonly devices: readonly PairedDevice[];
}

interface Shelf {
  next: number;
  readonly devices: Map<number, DeviceRecord>;
}

export class DeviceBook {
  private readonly shelves = new Map<string, Shelf>();

  find(phone: string, number: number): DeviceRecord | undefined {
    return this.shelves.get(phone)?.devices.get(number);
  }

  of(phone: string): readonly DeviceRecord[] {
    return [...(this.shelves.get(phone)?.devices.values() ?? [])];
  }

  *all(): Generator<DeviceRecord> {
    for (const { devices } of this.shelves.values()) yield* devices.values();
  }

  /** Returns the number for the next device. */
  nextNumber({ phone }: Pick<User, "phone">): number {
    return this.shelf(phone).next++;
  }

  add(stored: PairedDevice): DeviceRecord {
    const record = new DeviceRecord(stored);
    const shelf = this.shelf(record.phone);
    shelf.devices.set(record.number, record);
    shelf.next = Math.max(shelf.next, record.number + 1);
    return record;
  }

  remove(record: DeviceRecord): void {
    record.removed = true;
    this.shelves.get(record.phone)?.devices.delete(record.number);
  }

  *export(): Generator<StoredDevices> {
    for (const [phone, { next, devices }] of this.shelves)
      yield { phone, next, devices: [...devices.values()].map((device) => device.toStored()) };
  }

  import({ phone, next, devices }: StoredDevices): void {
    for (const device of devices) this.add(device);
    const shelf = this.shelf(phone);
    shelf.next = Math.max(shelf.next, next);
  }

  private shelf(phone: string): Shelf {
    let shelf = this.shelves.get(phone);
    if (!shelf) this.shelves.set(phone, (shelf = { next: 1, devices: new Map() }));
    return shelf;
  }
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, "base64");
}

function toBase64(bytes: Buffer): string {
  return bytes.toString("base64");
}
