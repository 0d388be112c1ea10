/**
 * Delivers stanzas to devices. Messages, receipts and notifications are queued for an offline device and sent in order with an `offline`
 * attribute once its client is active. Others, such as typing, are dropped.
 */
import type { BinaryNode } from "@whiskeysockets/baileys";
import type { DeviceRecord } from "../device-book.js";
import type { ProtocolLog } from "../protocol-log.js";
import { decodeNode, encodeNode } from "../transport/node-codec.js";

/** At either limit, the oldest queued stanza is dropped, and its message with it. */
export const maxWaiting = 1_000;
const maxWaitingBytes = 4 * 1_024 * 1_024;

const kept = ["message", "receipt", "notification"];

export interface DeliveryTools {
  /** Called when the device's queue must be stored. */
  readonly changed: (device: DeviceRecord) => void;
  readonly log: ProtocolLog;
}

export class Delivery {
  constructor(private readonly tools: DeliveryTools) {}

  /** Returns false if the device is not connected. */
  deliver(device: DeviceRecord, stanza: BinaryNode): boolean {
    const { connection } = device;
    if (connection?.open && (device.active || !kept.includes(stanza.tag))) connection.send(stanza);
    else if (kept.includes(stanza.tag) && !device.removed) this.keep(device, encodeNode(stanza));
    return connection?.open ?? false;
  }

  /** Returns the queued stanzas, oldest first. Later stanzas are sent at once. */
  activate(device: DeviceRecord): BinaryNode[] {
    const waited = device.waiting.splice(0).map(decodeNode);
    device.active = true;
    if (waited.length > 0) this.tools.changed(device);
    return waited.map((stanza, n) => ({ ...stanza, attrs: { ...stanza.attrs, offline: String(n) } }));
  }

  private keep(device: DeviceRecord, stanza: Buffer): void {
    const { waiting } = device;
    waiting.push(stanza);
    let bytes = waiting.reduce((sum, { length }) => sum + length, 0);
    while (waiting.length > maxWaiting || bytes > maxWaitingBytes) {
      bytes -= waiting.shift()?.length ?? 0;
      this.tools.log.warn("device is away for too long, its oldest stanza is dropped", { device: device.jid, waiting: waiting.length });
    }
    this.tools.changed(device);
  }
}
