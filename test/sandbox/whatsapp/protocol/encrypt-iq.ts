/** IQs of namespace `encrypt`: the device's own prekeys, and key bundles of any user. */
import { setImmediate } from "node:timers/promises";
import { type BinaryNode, encodeBigEndian, generateSignalPubKey, jidDecode } from "@whiskeysockets/baileys";
import { signedByAnother } from "../forgeries.js";
import { IqFault, type OneTimePreKey, serverJid, type User, type WhatsAppBackend } from "../whatsapp-backend.js";
import type { DeviceBook, DeviceRecord } from "./device-book.js";
import { bytesOf, child, children, node, stanzaId, unixSeconds } from "./node.js";
import type { SignalUsers } from "./signal/signal-users.js";

export interface EncryptTools {
  readonly backend: WhatsAppBackend;
  readonly devices: DeviceBook;
  readonly users: SignalUsers;
  /** Caches one bundle per user, without a one-time key. */
  readonly cacheBundles: boolean;
  /** Prekey count that every client receives instead of the real one. A client that reads 6 or more uploads none. */
  readonly reportedPreKeys: number | undefined;
}

/** A client below this number uploads five new keys. */
const fewPreKeys = 5;
/** A first upload has 812 keys. */
const maxPreKeys = 2_000;
/** Bundles created before other work runs: each may need a new identity. */
const batch = 32;

export class EncryptIq {
  constructor(private readonly tools: EncryptTools) {}

  async answer(stanza: BinaryNode, device: DeviceRecord): Promise<BinaryNode[] | undefined> {
    const request = child(stanza);
    if (stanza.attrs.type === "set") {
      this.set(stanza, device);
      return;
    }
    switch (request?.tag) {
      case "count":
        return [node("count", { value: String(this.tools.reportedPreKeys ?? device.preKeys.length) })];
      case "digest":
        return [digest(device)];
      case "key":
        return [node("list", {}, await this.bundles(children(request, "user")))];
      default:
        throw new IqFault(400, "bad-request");
    }
  }

  /** Requests more keys from a device when few are left after one was handed out. */
  taken(device: DeviceRecord): void {
    this.tools.backend.onDeviceChanged(device);
    if (device.preKeys.length >= fewPreKeys || device.toldPreKeysLow || !device.connection?.open) return;
    device.toldPreKeysLow = true;
    const count = node("count", { value: String(device.preKeys.length) });
    device.connection.send(node("notification", { from: serverJid, type: "encrypt", id: stanzaId(), t: unixSeconds() }, [count]));
  }

  private set(stanza: BinaryNode, device: DeviceRecord): undefined {
    const signed = child(child(stanza, "rotate") ?? stanza, "skey");
    const list = child(stanza, "list");
    if (!signed && !list) throw new IqFault(400, "bad-request");
    if (signed) {
      const key = preKeyOf(signed);
      const signature = bytesOf(child(signed, "signature"));
      if (signature?.length !== 64) throw new IqFault(406, "not-acceptable");
      device.signedPreKey = { ...key, signature };
    }
    const uploaded = children(list, "key").map(preKeyOf);
    if (device.preKeys.length + uploaded.length > maxPreKeys) throw new IqFault(406, "not-acceptable");
    device.preKeys.push(...uploaded);
    device.toldPreKeysLow = false;
    this.tools.backend.onDeviceChanged(device);
    return undefined;
  }

  private async bundles(users: readonly BinaryNode[]): Promise<BinaryNode[]> {
    const made: BinaryNode[] = [];
    for (const [n, { attrs }] of users.entries()) {
      if (n > 0 && n % batch === 0) await setImmediate();
      made.push(this.bundle(attrs.jid ?? ""));
    }
    return made;
  }

  private bundle(jid: string): BinaryNode {
    const { user: part, server, device: number } = jidDecode(jid) ?? {};
    const user = part === undefined ? undefined : this.tools.backend.user(server === "lid" ? { lid: part } : { phone: part });
    const keys = user && (number ? this.deviceKeys(user, number) : this.phoneKeys(user));
    const forged = keys && this.tools.backend.forges?.("signed-prekey", user?.phone) === true;
    return keys
      ? node("user", { jid, t: unixSeconds() }, forged ? keys.map(signedAnew) : keys)
      : node("user", { jid }, [node("error", { code: "404", text: "item-not-found" })]);
  }

  private phoneKeys(user: User): BinaryNode[] {
    const phone = this.tools.users.of(user);
    return [node("registration", {}, phone.registrationBytes), ...phone.bundle(this.tools.cacheBundles)];
  }

  private deviceKeys(user: User, number: number): BinaryNode[] | undefined {
    const device = this.tools.devices.find(user.phone, number);
    if (!device) return undefined;
    const oneTime = device.preKeys.shift();
    if (oneTime) this.taken(device);
    const { id, value, signature } = device.signedPreKey;
    return [
      node("registration", {}, encodeBigEndian(device.registrationId)),
      node("type", {}, Buffer.from([5])),
      node("identity", {}, device.identity),
      node("skey", {}, [node("id", {}, id), node("value", {}, value), node("signature", {}, signature)]),
      ...(oneTime ? [node("key", {}, [node("id", {}, oneTime.id), node("value", {}, oneTime.value)])] : []),
    ];
  }
}

/** Replaces a contact's key by one that its identity did not sign. */
function signedAnew(key: BinaryNode): BinaryNode {
  const value = bytesOf(child(key, "value"));
  if (key.tag !== "skey" || value === undefined) return key;
  const signature = node("signature", {}, signedByAnother(generateSignalPubKey(value)));
  return node(
    "skey",
    {},
    children(key).map((part) => (part.tag === "signature" ? signature : part)),
  );
}

/** Throws 406 when the key is malformed. */
function preKeyOf(key: BinaryNode): OneTimePreKey {
  const id = bytesOf(child(key, "id"));
  const value = bytesOf(child(key, "value"));
  if (id?.length !== 3 || value?.length !== 32) throw new IqFault(406, "not-acceptable");
  return { id: Buffer.from(id), value: Buffer.from(value) };
}

/** Returns the server's keys of a device, for the client to compare. */
function digest(device: DeviceRecord): BinaryNode {
  const { id, value, signature } = device.signedPreKey;
  return node("digest", {}, [
    node("registration", {}, encodeBigEndian(device.registrationId)),
    node("type", {}, Buffer.from([5])),
    node("identity", {}, device.identity),
    node("skey", {}, [node("id", {}, id), node("value", {}, value), node("signature", {}, signature)]),
    node(
      "list",
      {},
      device.preKeys.map((key) => node("id", {}, key.id)),
    ),
  ]);
}
