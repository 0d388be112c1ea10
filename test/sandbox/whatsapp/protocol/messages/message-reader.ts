/**
 * Decrypts a client's `message` stanza as its recipients' phones do: `enc` copies in `participants`, `enc type=skmsg` for a group or
 * status, a single `enc` for a retry or a peer message, `plaintext` for a channel.
 */
import { setImmediate } from "node:timers/promises";
import { type BinaryNode, jidDecode, proto, unpadRandomMax16 } from "@whiskeysockets/baileys";
import type { DecryptedCopy, DecryptedMessage, User, WhatsAppBackend } from "../../whatsapp-backend.js";
import type { DeviceRecord } from "../device-book.js";
import { bytesOf, child, children } from "../node.js";
import type { SignalUsers } from "../signal/signal-users.js";
import type { GroupReaders } from "./group-readers.js";

export interface MessageReaderTools {
  readonly backend: Pick<WhatsAppBackend, "user">;
  readonly users: SignalUsers;
  readonly readers: GroupReaders;
  /** Decrypts nothing. */
  readonly load: boolean;
}

/** Readers tried for a group message before it counts as unreadable. */
const maxGroupAttempts = 3;

interface SealedCopy {
  readonly jid: string;
  readonly enc: BinaryNode;
}

/** Length of the signature at the end of a group message. */
const signatureBytes = 64;

/** Copies decrypted before other work runs: each takes about 2 ms, and a status may have thousands. */
const batch = 8;

export class MessageReader {
  private readonly tails = new WeakMap<DeviceRecord, Promise<unknown>>();

  constructor(private readonly tools: MessageReaderTools) {}

  /** Reads the messages of one device in the order of the calls. */
  async read(stanza: BinaryNode, device: DeviceRecord): Promise<DecryptedMessage> {
    const run = (this.tails.get(device) ?? Promise.resolve()).then(() => this.decrypt(stanza, device));
    this.tails.set(
      device,
      run.catch(() => undefined),
    );
    return await run;
  }

  private async decrypt(stanza: BinaryNode, device: DeviceRecord): Promise<DecryptedMessage> {
    const plaintext = bytesOf(child(stanza, "plaintext"));
    if (plaintext) return { ...nothing, message: proto.Message.decode(plaintext) };
    const sealed = sealedCopies(stanza);
    const devices = sealed.map(({ jid }) => jid).filter((jid) => jidDecode(jid)?.device);
    const forPhones = sealed.filter(({ jid }) => !jidDecode(jid)?.device);
    const recipients = forPhones.flatMap(({ jid }) => this.user(jid) ?? []).map(toUser);
    if (this.tools.load) return { ...nothing, recipients, devices };

    const chat = stanza.attrs.to ?? "";
    const results: Awaited<ReturnType<typeof this.copy>>[] = [];
    for (let start = 0; start < forPhones.length; start += batch) {
      if (start > 0) await setImmediate();
      results.push(...(await Promise.all(forPhones.slice(start, start + batch).map((copy) => this.copy(copy, chat, device)))));
    }
    const copies = results.flatMap((result) => ("message" in result ? [result] : []));
    const failures = results.flatMap((result) => ("reason" in result ? [result] : []));
    const group = children(stanza, "enc").find(({ attrs }) => attrs.type === "skmsg");
    if (!group) {
      const others = copies.filter(({ own }) => !own);
      return { message: (others[0] ?? copies[0])?.message, copies, recipients, readers: others.map(toUser), devices, failures };
    }
    const ciphertext = bytesOf(group) ?? Buffer.alloc(0);
    const senderKey = keyOfMessage(ciphertext);
    const readers = this.tools.readers.of(chat, device.lidJid, senderKey);
    const message = await this.groupMessage(ciphertext, chat, device, readers);
    const read = { copies, recipients, readers, devices, senderKey };
    if (message instanceof Error) return { ...read, message: undefined, failures: [...failures, { jid: chat, reason: message.message }] };
    return { ...read, message, failures };
  }

  private async copy(
    { jid, enc }: SealedCopy,
    chat: string,
    device: DeviceRecord,
  ): Promise<DecryptedCopy | { jid: string; reason: string }> {
    const user = this.user(jid);
    const type = enc.attrs.type;
    const ciphertext = bytesOf(enc);
    if (!user) return { jid, reason: "no such user" };
    if (!ciphertext || (type !== "pkmsg" && type !== "msg")) return { jid, reason: "not a message for one device" };
    const phone = this.tools.users.of(user);
    try {
      return await phone.inTurn(async () => {
        const message = proto.Message.decode(unpadRandomMax16(await phone.decrypt(device.lidJid, type, ciphertext)));
        const { groupId, axolotlSenderKeyDistributionMessage: senderKey } = message.senderKeyDistributionMessage ?? {};
        if (groupId && senderKey) {
          if (groupId !== chat) return { jid, reason: "sender key of another group" };
          await phone.acceptSenderKey(device.lidJid, groupId, senderKey);
          const { id } = proto.SenderKeyDistributionMessage.decode(senderKey.subarray(1));
          this.tools.readers.add(groupId, device.lidJid, id ?? noKey, toUser(user));
        }
        return { jid, ...toUser(user), own: user.lid === device.lid, message: message.deviceSentMessage?.message ?? message };
      });
    } catch (error) {
      return { jid, reason: error instanceof Error ? error.message : String(error) };
    }
  }

  private async groupMessage(
    ciphertext: Buffer,
    group: string,
    device: DeviceRecord,
    readers: readonly User[],
  ): Promise<proto.IMessage | Error> {
    let failure = new Error("nobody has the sender key");
    for (const user of readers.slice(0, maxGroupAttempts)) {
      const phone = this.tools.users.of(user);
      try {
        return proto.Message.decode(unpadRandomMax16(await phone.inTurn(() => phone.decryptGroup(device.lidJid, group, ciphertext))));
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
      }
    }
    return failure;
  }

  private user(jid: string): User | undefined {
    const { user, server } = jidDecode(jid) ?? {};
    if (!user) return undefined;
    return this.tools.backend.user(server === "lid" ? { lid: user } : { phone: user });
  }
}

const nothing: DecryptedMessage = { message: undefined, copies: [], recipients: [], readers: [], devices: [], failures: [] };

function sealedCopies(stanza: BinaryNode): SealedCopy[] {
  const copies = children(child(stanza, "participants"), "to").flatMap((to) => {
    const enc = child(to, "enc");
    return enc && to.attrs.jid ? [{ jid: to.attrs.jid, enc }] : [];
  });
  const direct = children(stanza, "enc").find(({ attrs }) => attrs.type !== "skmsg");
  const recipient = stanza.attrs.participant ?? stanza.attrs.to;
  return direct && recipient ? [...copies, { jid: recipient, enc: direct }] : copies;
}

/** Returns the id of the sender key that a group message names. */
function keyOfMessage(ciphertext: Buffer): number {
  try {
    return proto.SenderKeyMessage.decode(ciphertext.subarray(1, Math.max(1, ciphertext.length - signatureBytes))).id ?? noKey;
  } catch {
    // Not a group message, so no key matches.
    return noKey;
  }
}

/** No key has this id. */
const noKey = -1;

function toUser({ phone, lid }: User): User {
  return { phone, lid };
}
