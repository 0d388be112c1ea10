import type { BinaryNode } from "@whiskeysockets/baileys";
import type { Forgery } from "./forgeries.js";
import { handlerOf } from "./iq/answers.js";
import type { IqContext } from "./iq/iq-request.js";
import type { MediaReader } from "./media/media-reader.js";
import type { MediaStore } from "./media/media-store.js";
import { mediaRetry } from "./phone/media-retry.js";
import { MessageSink } from "./phone/message-sink.js";
import { OtherSide } from "./phone/other-side.js";
import { child, children, node, stanzaId, unixSeconds } from "./protocol/node.js";
import {
  type Addressing,
  type BlobKind,
  type PhoneBlob,
  type AccountProfile,
  type Connection,
  type Device,
  IqFault,
  noAnswer,
  type IqAnswer,
  serverJid,
  type User,
  type WhatsAppBackend,
  type WhatsAppWire,
} from "./whatsapp-backend.js";
import type { Account } from "./world/account.js";
import { deviceHash } from "./world/device-hash.js";
import { closing, faultError, isOlder } from "./world/faults.js";
import { jidOf } from "./world/jid.js";
import { personByLid, personByPhone } from "./world/person.js";
import type { World } from "./world/world.js";

export interface WhatsAppModelOptions extends Omit<IqContext, "wire"> {
  readonly world: World;
  readonly media: MediaReader;
  readonly store: MediaStore;
  /** Decrypts nothing, so that recipients send no receipts. */
  readonly load: boolean;
  readonly storeBlob: NonNullable<WhatsAppBackend["storeBlob"]>;
}

const outdated = 405;
const unavailable = 503;

/** The platform behind the wire protocol: handles IQs and messages, and applies the control API's faults. */
export class WhatsAppModel implements WhatsAppBackend {
  readonly sink: MessageSink;
  readonly otherSide: OtherSide;
  private readonly world: World;
  private readonly stopping = new AbortController();
  private served: WhatsAppWire | undefined;

  constructor(private readonly options: WhatsAppModelOptions) {
    this.world = options.world;
    this.otherSide = new OtherSide(options.world, () => this.wire);
    this.sink = new MessageSink({
      world: options.world,
      media: options.media,
      otherSide: this.otherSide,
      wire: () => this.wire,
      load: options.load,
    });
  }

  /** Set once the protocol server exists. */
  set wire(wire: WhatsAppWire) {
    this.served = wire;
  }

  get wire(): WhatsAppWire {
    if (this.served === undefined) throw new Error("no server in front of the model");
    return this.served;
  }

  /** Ends all pauses. */
  stop(): void {
    this.stopping.abort();
  }

  account(phone: string): AccountProfile | undefined {
    return this.world.accounts.ofPhone(phone)?.profile;
  }

  user(part: { readonly phone: string } | { readonly lid: string }): User | undefined {
    return "lid" in part ? personByLid(part.lid) : personByPhone(part.phone);
  }

  hidesNumber(user: User, group?: string): boolean {
    return this.world.hidesNumber(user) || (group !== undefined && this.world.group(group)?.options.hidden === true);
  }

  blocks(user: User, other: User): boolean {
    return this.world.blocks(user, other);
  }

  addressing(group: string): Addressing | undefined {
    return this.world.group(group)?.options.addressing;
  }

  members(group: string): Iterable<User> {
    return this.world.group(group)?.accounts() ?? [];
  }

  storeBlob(kind: BlobKind, plain: Buffer): Promise<PhoneBlob> {
    return this.options.storeBlob(kind, plain);
  }

  iq(stanza: BinaryNode, device: Device, connection: Connection): IqAnswer {
    const query = child(stanza);
    const kind = `${stanza.attrs.xmlns ?? ""} ${query?.tag ?? ""}`.trim();
    const handler = handlerOf(kind, stanza.attrs.type);
    const account = this.accountOf(device);
    if (account === undefined) throw new IqFault(401, "not-authorized");
    if (handler === undefined) throw new IqFault(501, "feature-not-implemented");
    const answer = handler({
      ...this.options,
      ...{ wire: this.wire, stanza, query, account, device },
      tell: (users, made) => this.otherSide.tell(users, made),
    });
    if (this.world.faults.takeNamed("lost-ack", account.account, `iq ${kind}`) === undefined) return answer;
    connection.disconnect("reset");
    return noAnswer;
  }

  async message(stanza: BinaryNode, device: Device, connection: Connection): Promise<void> {
    const account = this.accountOf(device);
    if (account !== undefined) await this.sink.take(stanza, account, device, connection);
  }

  presence(stanza: BinaryNode, device: Device): void {
    const account = this.accountOf(device);
    const { type, to = "", name = "" } = stanza.attrs;
    // A presence without a type carries the account's new name.
    if (account !== undefined && type === undefined && name !== "" && name !== account.pushName) {
      account.pushName = name;
      account.changed = true;
      this.world.changed("world");
    }
    if (type === "subscribe") this.otherSide.subscribe(to, device);
    if (account === undefined || (type !== "available" && type !== "unavailable")) return;
    this.world.received.add({ type: "presence", account: account.account, action: type });
    this.otherSide.presence(device, type === "available");
  }

  chatstate(stanza: BinaryNode, device: Device): void {
    const account = this.accountOf(device);
    const state = child(stanza);
    if (account === undefined || state === undefined) return;
    if (this.otherSide.isRefused(stanza.attrs.to ?? "", device)) return;
    const action = state.tag === "paused" ? "cancel" : state.attrs.media === "audio" ? "audio" : "text";
    this.world.received.add({ type: "typing", account: account.account, chat: stanza.attrs.to ?? "", action });
    this.otherSide.typing(stanza, device);
  }

  receipt(stanza: BinaryNode, device: Device): void {
    const account = this.accountOf(device);
    const { id = "", to = "", type } = stanza.attrs;
    if (type === "server-error" && account !== undefined) {
      const answer = mediaRetry(stanza, account, this.world, this.options.store);
      if (answer !== undefined) this.wire.push(device, answer);
      return;
    }
    if (this.otherSide.isRefused(to, device) && type?.startsWith("read") === true) return;
    this.otherSide.receipt(stanza, device);
    if (account !== undefined && type === "view") this.sink.seen(stanza, account);
    if (account === undefined || (type !== "read" && type !== "read-self")) return;
    const others = children(child(stanza, "list"), "item").flatMap(({ attrs }) => attrs.id ?? []);
    this.world.received.add({ type: "read", account: account.account, chat: to, ids: [id, ...others] });
  }

  async intercept(kind: string, stanza: BinaryNode, connection: Connection): Promise<typeof noAnswer | undefined> {
    this.world.count(kind);
    const account = this.accountOf(connection.device)?.account;
    const { faults } = this.world;
    const delay = faults.take(["delay"], account, kind);
    if (delay !== undefined) await this.pause(delay.seconds ?? 1);
    if (faults.take(["stall"], account, kind) !== undefined) return noAnswer;
    if (faults.takeNamed("drop", account, kind) !== undefined) {
      connection.destroy();
      return noAnswer;
    }
    const close = faults.takeNamed("close", account, kind);
    if (close !== undefined) {
      connection.disconnect(closing(close.error) ?? "close");
      return noAnswer;
    }
    // The sink acks messages, and other stanzas except IQs get no response.
    if (stanza.tag !== "iq" || stanza.attrs.type === "result" || stanza.attrs.type === "error") return undefined;
    const fault = faults.takeNamed("flood-wait", account, kind) ?? faults.takeNamed("error", account, kind);
    if (fault !== undefined) throw faultError(fault);
    if (faults.takeNamed("empty", account, kind) !== undefined) {
      connection.send(node("iq", { from: stanza.attrs.to ?? serverJid, type: "result", id: stanza.attrs.id }));
      return noAnswer;
    }
    return undefined;
  }

  refuses(device: Device | undefined, _address: string, version: string): number | undefined {
    this.world.count(device === undefined ? "registration" : "login");
    const account = this.accountOf(device)?.account;
    const { faults } = this.world;
    if (isOlder(version, faults.holding("outdated", account)?.error) === true) return outdated;
    const method = device === undefined ? "registration" : "login";
    const fault =
      faults.holding("refuse", account) ?? faults.takeNamed("refuse", account, method) ?? faults.takeNamed("error", account, method);
    if (fault === undefined) return undefined;
    const code = Number(fault.error?.slice(0, 3));
    return Number.isInteger(code) && code >= 400 ? code : unavailable;
  }

  /** The account is not known yet, so only a fault for all accounts applies. */
  acceptsConnection(): boolean {
    const fault = this.world.faults.holding("refuse", undefined);
    return fault === undefined || fault.error !== undefined;
  }

  forges(what: Forgery, phone?: string): boolean {
    const account = phone === undefined ? undefined : this.world.accounts.ofPhone(phone)?.account;
    return this.world.faults.takeNamed("forge", account, what) !== undefined;
  }

  duplicates(device: Device): boolean {
    return this.world.faults.take(["duplicate"], this.accountOf(device)?.account, "push") !== undefined;
  }

  passkeyFault(phone: string, name: string): boolean {
    return this.world.faults.takeNamed("passkey", this.world.accounts.ofPhone(phone)?.account, name) !== undefined;
  }

  onDeviceListChanged(device: Device, change: "add" | "remove"): void {
    const entry = node("device", { jid: keyOf(device), ...(change === "add" && { "key-index": String(device.number) }) });
    const others = this.wire.devices(device.phone).map(({ number }) => number);
    const numbers = new Set([0, ...others, device.number]);
    if (change === "remove") numbers.delete(device.number);
    const content = [node(change, { device_hash: deviceHash(device, [...numbers]) }, [entry])];
    for (const phone of this.world.deviceWatch.of(device)) {
      for (const watching of this.wire.devices(phone)) {
        // A "gap" fault on pushes drops this notification too.
        if (watching === device || this.world.faults.take(["gap"], this.accountOf(watching)?.account, "push") !== undefined) continue;
        this.wire.push(
          watching,
          node(
            "notification",
            { from: jidOf(device), type: "devices", id: stanzaId(), t: unixSeconds(), lid: `${device.lid}@lid` },
            content,
          ),
        );
      }
    }
  }

  onDeviceChanged(): void {
    this.world.changed("protocol");
  }

  onStateChanged(): void {
    this.world.changed("protocol");
  }

  onConnectionChanged(connection: Connection, open: boolean): void {
    const { device } = connection;
    const account = this.accountOf(device);
    const key = device && keyOf(device);
    if (!open && device !== undefined && device.connection === undefined) this.otherSide.gone(device);
    if (!open) this.world.overlaps.closed(key, connection);
    else if (account !== undefined && key !== undefined && device?.connection === connection)
      this.world.overlaps.loggedIn(account.account, key, connection);
  }

  private accountOf(device: Device | undefined): Account | undefined {
    return device && this.world.accounts.ofPhone(device.phone);
  }

  /** `stop` aborts the wait. */
  private async pause(seconds: number): Promise<void> {
    await this.world.faults.pause(seconds * 1_000, this.stopping.signal).catch(() => undefined);
  }
}

/** Returns the JID of a device. */
export function keyOf({ phone, number }: Pick<Device, "phone" | "number">): string {
  return `${phone}:${number}@s.whatsapp.net`;
}
