import type { BinaryNode } from "@whiskeysockets/baileys";
import type { DeliveryEntry } from "../../whatsapp-backend.js";
import type { DeviceRecord } from "../device-book.js";

const maxEntries = 20_000;

type Entry = { -readonly [Name in keyof DeliveryEntry]: DeliveryEntry[Name] } & { readonly phone: string };

/** The newest messages to all devices: when each was sent, and when its device confirmed it. */
export class DeliveryLog {
  private readonly entries = new Map<string, Entry>();

  queued(device: DeviceRecord, { attrs, content }: BinaryNode): void {
    const { id = "", from = "", recipient, participant, category } = attrs;
    if (category === "peer") return;
    const key = keyOf(device, id);
    const known = this.entries.get(key);
    if (known !== undefined) {
      known.copies += 1;
      return;
    }
    const isSealed = Array.isArray(content) && content.some(({ tag }) => tag === "enc");
    this.entries.set(key, {
      phone: device.phone,
      device: device.jid,
      messageId: id,
      chatId: recipient ?? from,
      ...(participant !== undefined && { participant }),
      isSealed,
      queuedAt: Date.now(),
      copies: 1,
      sentAt: [],
      confirmations: [],
    });
    const [oldest] = this.entries.keys();
    if (oldest !== undefined && this.entries.size > maxEntries) this.entries.delete(oldest);
  }

  sent(device: DeviceRecord, { attrs }: BinaryNode): void {
    const entry = this.entries.get(keyOf(device, attrs.id ?? ""));
    if (entry !== undefined) entry.sentAt = [...entry.sentAt, Date.now()];
  }

  /** Takes the client's receipt or ack of a message. */
  confirmed(device: DeviceRecord, id: string, { tag, attrs }: BinaryNode): void {
    const entry = this.entries.get(keyOf(device, id));
    if (entry === undefined) return;
    const { type, error } = attrs;
    const confirmation = { at: Date.now(), by: tag, ...(type !== undefined && { type }), ...(error !== undefined && { error }) };
    entry.confirmations = [...entry.confirmations, confirmation];
  }

  /** Oldest first. */
  list(phone: string | undefined): DeliveryEntry[] {
    return [...this.entries.values()]
      .filter((entry) => phone === undefined || entry.phone === phone)
      .map(({ phone: _phone, ...entry }) => entry);
  }
}

function keyOf(device: DeviceRecord, id: string): string {
  return `${device.jid} ${id}`;
}
