/** The messages of simulated phones that a device may request again. */
import { proto } from "@whiskeysockets/baileys";
import type { SendOptions, User } from "../../whatsapp-backend.js";
import type { DeviceRecord } from "../device-book.js";
import { maxWaiting } from "./delivery.js";

/** Messages kept per device. A client requests a retry as soon as it receives a message. */
const maxKept = maxWaiting;

export interface KeptMessage {
  readonly from: User;
  readonly message: proto.IMessage;
  readonly options: SendOptions;
  retries: number;
}

/** Messages for one device, in the form on disk. */
export interface StoredMessages {
  readonly phone: string;
  readonly number: number;
  /** `message` is base64. */
  readonly messages: readonly (Omit<KeptMessage, "message"> & { readonly id: string; readonly message: string })[];
}

export class KeptMessages {
  private readonly kept = new WeakMap<DeviceRecord, Map<string, KeptMessage>>();

  find(device: DeviceRecord, id: string): KeptMessage | undefined {
    return this.kept.get(device)?.get(id);
  }

  add(device: DeviceRecord, id: string, message: KeptMessage): void {
    let kept = this.kept.get(device);
    if (!kept) this.kept.set(device, (kept = new Map()));
    kept.set(id, message);
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size > maxKept) kept.delete(oldest);
  }

  /** Yields only messages that the devices have not confirmed, because a client requests no others. */
  *export(devices: Iterable<DeviceRecord>): Generator<StoredMessages> {
    for (const device of devices) {
      const { phone, number, waiting } = device;
      const messages = waiting.flatMap(({ tag, attrs: { id = "" } }) => {
        const kept = tag === "message" ? this.find(device, id) : undefined;
        return kept === undefined ? [] : [{ ...kept, id, message: encoded(kept.message) }];
      });
      if (messages.length > 0) yield { phone, number, messages };
    }
  }

  import(device: DeviceRecord, { messages }: StoredMessages): void {
    for (const { id, message, ...kept } of messages)
      this.add(device, id, { ...kept, message: proto.Message.decode(Buffer.from(message, "base64")) });
  }
}

function encoded(message: proto.IMessage): string {
  return Buffer.from(proto.Message.encode(proto.Message.fromObject(message)).finish()).toString("base64");
}
