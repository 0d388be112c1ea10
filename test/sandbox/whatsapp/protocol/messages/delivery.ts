/**
 * Delivers stanzas to devices. Messages, receipts, notifications and calls are kept until the device confirms them. At each login, once its
 * client is active, the kept ones are sent in order with an `offline` attribute. Others, such as typing, are sent at most once.
 */
import type { BinaryNode } from "@whiskeysockets/baileys";
import type { DeviceRecord } from "../device-book.js";
import { child, children } from "../node.js";
import type { ProtocolLog } from "../protocol-log.js";
import { DeliveryLog } from "./delivery-log.js";

/** At either limit, the oldest kept stanza is dropped, and its message with it. */
export const maxWaiting = 1_000;
const maxWaitingBytes = 4 * 1_024 * 1_024;
/** Messages per device that can be delivered again although they are confirmed. */
const maxRecent = 100;

const kept = ["message", "receipt", "notification", "call"];
/** Receipts that request something of a message anew. */
const again = ["retry", "server-error"];

export interface DeliveryTools {
  /** Called when the device's queue must be stored. `isBrief`: the change concerns a stanza that the device has received. */
  readonly changed: (device: DeviceRecord, isBrief: boolean) => void;
  /** Returns whether to deliver the device's message twice (fault `duplicate`). */
  readonly duplicates: (device: DeviceRecord) => boolean;
  readonly log: ProtocolLog;
}

export class Delivery {
  readonly deliveries = new DeliveryLog();
  private readonly recent = new WeakMap<DeviceRecord, BinaryNode[]>();

  constructor(private readonly tools: DeliveryTools) {}

  /** Returns false if the device is not connected. */
  deliver(device: DeviceRecord, stanza: BinaryNode): boolean {
    const isMessage = stanza.tag === "message";
    if (isMessage) this.remember(device, stanza);
    this.push(device, stanza);
    if (isMessage && this.tools.duplicates(device)) this.push(device, stanza);
    return device.connection?.open ?? false;
  }

  /** Lists the messages that a restored device has not confirmed. */
  restored(device: DeviceRecord): void {
    for (const stanza of device.waiting) if (stanza.tag === "message") this.deliveries.queued(device, stanza);
  }

  /** Delivers the device's last messages again, oldest first (fault `redeliver`). */
  again(device: DeviceRecord, count: number): void {
    for (const stanza of this.recent.get(device)?.slice(-count) ?? []) this.push(device, stanza);
  }

  /** Returns all kept stanzas, oldest first. Later stanzas are sent at once. */
  activate(device: DeviceRecord): BinaryNode[] {
    device.active = true;
    for (const stanza of device.waiting) if (stanza.tag === "message") this.deliveries.sent(device, stanza);
    return device.waiting.map((stanza, n) => ({ ...stanza, attrs: { ...stanza.attrs, offline: String(n) } }));
  }

  /** Forgets the stanzas that the client's ack or receipt confirms. A request to send a message again confirms nothing. */
  confirm(device: DeviceRecord, stanza: BinaryNode): void {
    const { class: acked, type, id } = stanza.attrs;
    const isReceipt = stanza.tag === "receipt";
    const tag = isReceipt ? "message" : acked;
    const others = children(child(stanza, "list"), "item").flatMap(({ attrs }) => attrs.id ?? []);
    for (const each of [id ?? "", ...others]) {
      if (tag === "message") this.deliveries.confirmed(device, each, stanza);
      const index = device.waiting.findIndex((one) => one.tag === tag && one.attrs.id === each);
      if (index < 0 || (isReceipt && again.includes(type ?? ""))) continue;
      device.waiting.splice(index, 1);
      this.tools.changed(device, true);
    }
  }

  private push(device: DeviceRecord, stanza: BinaryNode): void {
    const { connection } = device;
    const isKept = kept.includes(stanza.tag);
    const isSent = connection?.open === true && (device.active || !isKept);
    if (isKept && !device.removed) this.keep(device, stanza, isSent);
    if (stanza.tag === "message") this.deliveries.queued(device, stanza);
    if (!isSent) return;
    if (stanza.tag === "message") this.deliveries.sent(device, stanza);
    connection.send(stanza);
  }

  private keep(device: DeviceRecord, stanza: BinaryNode, isSent: boolean): void {
    const { waiting } = device;
    waiting.push(stanza);
    let bytes = waiting.reduce((sum, one) => sum + weightOf(one), 0);
    while (waiting.length > maxWaiting || bytes > maxWaitingBytes) {
      const oldest = waiting.shift();
      bytes -= oldest === undefined ? bytes : weightOf(oldest);
      this.tools.log.warn("device is away for too long, its oldest stanza is dropped", { device: device.jid, waiting: waiting.length });
    }
    this.tools.changed(device, isSent);
  }

  private remember(device: DeviceRecord, stanza: BinaryNode): void {
    const recent = this.recent.get(device) ?? [];
    this.recent.set(device, recent);
    recent.push(stanza);
    if (recent.length > maxRecent) recent.shift();
  }
}

/** Returns roughly the bytes of a stanza. */
function weightOf({ content }: BinaryNode): number {
  const overhead = 100;
  if (content === undefined) return overhead;
  if (Array.isArray(content)) return content.reduce((sum, one) => sum + weightOf(one), overhead);
  return overhead + content.length;
}
