/** Encrypts messages of simulated phones for linked devices, and resends those that a device could not read. */
import { type BinaryNode, encodeWAMessage, type proto } from "@whiskeysockets/baileys";
import { signedByAnother } from "../../forgeries.js";
import type { Addressing, OneTimePreKey, SendOptions, SignedPreKey, User, WhatsAppBackend } from "../../whatsapp-backend.js";
import type { DeviceRecord } from "../device-book.js";
import { bytesOf, child, node, stanzaId, unixSeconds } from "../node.js";
import type { Delivery } from "./delivery.js";
import type { KeptMessages } from "./kept-messages.js";
import { kindOf, type MessageKind } from "./message-kind.js";
import type { DeviceBundle, SignalUser } from "../signal/signal-user.js";
import type { SignalUsers } from "../signal/signal-users.js";

const maxRetries = 5;

export interface WriterTools {
  readonly backend: Pick<WhatsAppBackend, "forges" | "account" | "addressing" | "hidesNumber">;
  readonly users: SignalUsers;
  readonly delivery: Delivery;
  readonly kept: KeptMessages;
  /** Called when a device's one-time prekey was used up. */
  readonly taken: (device: DeviceRecord) => void;
}

/** A group message ends with an Ed25519 signature. */
const signatureBytes = 64;

export class MessageWriter {
  /** Groups whose sender key a device has from a user. */
  private readonly distributed = new WeakMap<DeviceRecord, Set<string>>();

  constructor(private readonly tools: WriterTools) {}

  /** Returns the message id, or `undefined` if the device is offline. Its message is then queued. */
  async send(device: DeviceRecord, from: User, message: proto.IMessage, options: SendOptions): Promise<string | undefined> {
    const id = options.id ?? stanzaId();
    // The phone itself repeats its messages to a new device.
    if (options.peer && !device.connection?.open) return undefined;
    this.tools.kept.add(device, id, { from, message, options, retries: 0 });
    return (await this.push(device, from, message, { ...options, id }, undefined)) ? id : undefined;
  }

  /** Resends a message after the device's retry receipt, which may bring fresh keys. */
  async again(receipt: BinaryNode, device: DeviceRecord): Promise<void> {
    const kept = this.tools.kept.find(device, receipt.attrs.id ?? "");
    if (!kept || kept.options.isLost || kept.retries >= maxRetries) return;
    kept.retries += 1;
    const { from, message, options } = kept;
    const user = this.tools.users.of(from);
    const bundle = receiptBundle(receipt, device) ?? this.bundle(device);
    await user.inTurn(async () => {
      await user.dropSession(device.lidJid);
      await user.beginSession(device.lidJid, bundle);
    });
    this.distributed.get(device)?.delete(`${options.group ?? ""} ${from.lid}`);
    await this.push(device, from, message, { ...options, id: receipt.attrs.id ?? "", damaged: false }, kept.retries);
  }

  private async push(
    device: DeviceRecord,
    from: User,
    message: proto.IMessage,
    options: SendOptions & { readonly id: string },
    count: number | undefined,
  ): Promise<boolean> {
    const kind = kindOf(message);
    const attrs = { ...this.address(device, from, options), id: options.id, type: kind.type, edit: kind.edit, ...options.attrs };
    if (options.isUnavailable) {
      const type = message.viewOnceMessageV2 || message.viewOnceMessageV2Extension ? "view_once" : undefined;
      return this.tools.delivery.deliver(device, node("message", attrs, [node("unavailable", { type })]));
    }
    const user = this.tools.users.of(from);
    return await user.inTurn(async () => {
      if (!(await user.hasSession(device.lidJid))) await user.beginSession(device.lidJid, this.bundle(device));
      const content =
        options.group === undefined
          ? [await seal(user, device, message, options.damaged)]
          : await this.sealForGroup(user, device, from, message, options.group, options.damaged);
      if (count !== undefined) for (const enc of content) enc.attrs.count = String(count);
      const enc = content.at(-1);
      if (enc !== undefined) Object.assign(enc.attrs, encAttributes(kind));
      const meta = kind.type === "poll" ? [node("meta", { polltype: "creation" })] : [];
      return this.tools.delivery.deliver(device, node("message", attrs, [...content, ...meta]));
    });
  }

  private address(device: DeviceRecord, from: User, options: SendOptions): Record<string, string | undefined> {
    const isNumberHidden = this.tools.backend.hidesNumber?.(from, options.group) === true;
    const byLid = isNumberHidden || this.isMigrated(device);
    return address(from, { ...options, addressing: this.addressing(options.group) }, { byLid, isNumberHidden });
  }

  private isMigrated({ phone }: User): boolean {
    return this.tools.backend.account(phone)?.lidMigrated === true;
  }

  private addressing(group: string | undefined): Addressing | undefined {
    return group === undefined ? undefined : this.tools.backend.addressing?.(group);
  }

  /** The first message in a group carries the sender key. */
  private async sealForGroup(
    user: SignalUser,
    device: DeviceRecord,
    from: User,
    message: proto.IMessage,
    group: string,
    damaged: boolean | undefined,
  ): Promise<BinaryNode[]> {
    const { senderKeyDistributionMessage, ciphertext } = user.encryptGroup(group, encodeWAMessage(message));
    const sealed = this.tools.backend.forges?.("group-signature", from.phone) === true ? signedAnew(ciphertext) : ciphertext;
    const text = node("enc", { v: "2", type: "skmsg" }, damaged ? spoilt(sealed) : sealed);
    let distributed = this.distributed.get(device);
    if (!distributed) this.distributed.set(device, (distributed = new Set()));
    const key = `${group} ${from.lid}`;
    if (distributed.has(key)) return [text];
    distributed.add(key);
    const distribution = {
      senderKeyDistributionMessage: { groupId: group, axolotlSenderKeyDistributionMessage: senderKeyDistributionMessage },
    };
    return [await seal(user, device, distribution, false), text];
  }

  private bundle(device: DeviceRecord): DeviceBundle {
    const preKey = device.preKeys.shift();
    if (preKey) this.tools.taken(device);
    const { registrationId, identity, signedPreKey } = device;
    return { registrationId, identity, signedPreKey, preKey };
  }
}

async function seal(user: SignalUser, device: DeviceRecord, message: proto.IMessage, damaged: boolean | undefined): Promise<BinaryNode> {
  const { type, ciphertext } = await user.encrypt(device.lidJid, encodeWAMessage(message));
  return node("enc", { v: "2", type }, damaged ? spoilt(ciphertext) : ciphertext);
}

/** Signs as another member would: every member has the key to encrypt. */
function signedAnew(groupMessage: Uint8Array): Buffer {
  const text = groupMessage.subarray(0, -signatureBytes);
  return Buffer.concat([text, signedByAnother(text)]);
}

/** Flips a bit twelve bytes from the end, which all three forms authenticate. Later bytes of a session's first message are not verified. */
function spoilt(ciphertext: Uint8Array): Buffer {
  const bytes = Buffer.from(ciphertext);
  const position = bytes.length - 12;
  bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position);
  return bytes;
}

function encAttributes({ mediatype, hidden }: MessageKind): Record<string, string> {
  return { ...(mediatype !== undefined && { mediatype }), ...(hidden && { "decrypt-fail": "hide" }) };
}

interface AddressOptions extends SendOptions {
  readonly addressing?: Addressing | undefined;
}

interface Naming {
  /** The chat is addressed by LID. */
  readonly byLid: boolean;
  /** The sender's number is not revealed. */
  readonly isNumberHidden: boolean;
}

function address(
  from: User,
  { group, addressing = "lid", notify, timestamp, peer, recipient }: AddressOptions,
  { byLid, isNumberHidden }: Naming,
): Record<string, string | undefined> {
  const pn = `${from.phone}@s.whatsapp.net`;
  const lid = `${from.lid}@lid`;
  const common = { t: timestamp === undefined ? unixSeconds() : String(timestamp), notify };
  if (peer) return { ...common, from: pn, category: "peer" };
  if (group !== undefined) return { ...common, from: group, ...participantIn(addressing, lid, pn, isNumberHidden) };
  // A message from the account's own phone names its chat.
  if (recipient !== undefined) return { ...common, from: recipient.endsWith("@lid") ? lid : pn, recipient };
  if (byLid) return { ...common, from: lid, sender_pn: isNumberHidden ? undefined : pn };
  return { ...common, from: pn, sender_lid: lid };
}

/** Returns the author of a group message in the group's addressing. */
export function participantIn(addressing: Addressing, lid: string, pn: string, isNumberHidden = false): Record<string, string> {
  if (addressing === "pn") return { participant: pn, participant_lid: lid, addressing_mode: "pn" };
  return { participant: lid, ...(!isNumberHidden && { participant_pn: pn }), addressing_mode: "lid" };
}

/** Returns the keys in a retry receipt. */
function receiptBundle(receipt: BinaryNode, { registrationId, identity }: DeviceRecord): DeviceBundle | undefined {
  const keys = child(receipt, "keys");
  const signed = toPreKey(child(keys, "skey"));
  const signature = bytesOf(child(child(keys, "skey"), "signature"));
  if (!signed || signature?.length !== 64) return undefined;
  const signedPreKey: SignedPreKey = { ...signed, signature };
  return { registrationId, identity, signedPreKey, preKey: toPreKey(child(keys, "key")) };
}

function toPreKey(key: BinaryNode | undefined): OneTimePreKey | undefined {
  const id = bytesOf(child(key, "id"));
  const value = bytesOf(child(key, "value"));
  return id?.length === 3 && value?.length === 32 ? { id, value } : undefined;
}
