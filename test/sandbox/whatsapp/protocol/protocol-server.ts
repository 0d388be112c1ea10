/**
 * The wire protocol of a WhatsApp server on this machine: everything between TCP and a decrypted stanza or message. The backend models
 * accounts, chats and requests.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { Socket } from "node:net";
import type { AuthenticationCreds, BinaryNode, proto } from "@whiskeysockets/baileys";
import typia from "typia";
import { WebSocketServer } from "ws";
import { certificateForgeries } from "../forgeries.js";
import type {
  AckAttributes,
  Connection,
  DecryptedMessage,
  DeliveryEntry,
  Device,
  DisconnectKind,
  PairedDevice,
  SendOptions,
  User,
  WhatsAppBackend,
  WhatsAppWire,
} from "../whatsapp-backend.js";
import { type AddressBookChange, AppState } from "./app-state/app-state.js";
import type { StoredAppState } from "./app-state/account-app-state.js";
import { ClientConnection } from "./connection.js";
import { DeviceBook, DeviceRecord, type StoredDevices } from "./device-book.js";
import { EncryptIq } from "./encrypt-iq.js";
import { Fabricator } from "./fabricate.js";
import { sendFirstSync } from "./first-sync.js";
import { Login } from "./login.js";
import { Delivery } from "./messages/delivery.js";
import { GroupReaders, type StoredReaders } from "./messages/group-readers.js";
import { KeptMessages, type StoredMessages } from "./messages/kept-messages.js";
import { MessageReader } from "./messages/message-reader.js";
import { MessageWriter } from "./messages/message-writer.js";
import { relay } from "./messages/relay.js";
import { node, unixSeconds } from "./node.js";
import { Pairing } from "./pairing/pairing.js";
import { defaultQrOptions, type QrOptions } from "./pairing/registration.js";
import type { ProtocolLog } from "./protocol-log.js";
import { SignalUsers } from "./signal/signal-users.js";
import type { StoredUser } from "./signal/signal-user.js";
import { StanzaRouter } from "./stanza-router.js";
import { ServerCertificate, type ShownCertificate } from "./transport/server-certificate.js";

export interface ProtocolServerOptions {
  /** JSON file of the certificate's keys, created if it is missing. */
  readonly certificatePath: string;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly backend: WhatsAppBackend;
  readonly log: ProtocolLog;
  readonly qr?: Partial<QrOptions>;
  /** Load mode, for thousands of accounts: nothing is decrypted, all phones share an identity, and bundles are cached. */
  readonly load?: boolean;
  /** Prekey count that every client receives; 50 in load mode, so that no client uploads 812 keys. */
  readonly reportedPreKeys?: number;
}

/** State that survives a restart, one record per line of a file. */
export type StoredState =
  | ({ readonly kind: "devices" } & StoredDevices)
  | ({ readonly kind: "messages" } & StoredMessages)
  | ({ readonly kind: "user" } & StoredUser)
  | ({ readonly kind: "readers" } & StoredReaders)
  | ({ readonly kind: "app-state" } & StoredAppState);

/** Frames have up to 16 MiB, and one WebSocket message may contain several. */
const maxMessageBytes = 32 * 1_024 * 1_024;

export class WhatsAppProtocolServer implements WhatsAppWire {
  readonly certificate: ServerCertificate;
  readonly connections: ReadonlySet<ClientConnection>;
  private readonly live = new Set<ClientConnection>();
  /** Includes connections in the handshake. */
  private readonly all = new Set<ClientConnection>();
  private readonly book = new DeviceBook();
  private readonly readers = new GroupReaders();
  private readonly kept = new KeptMessages();
  private readonly http = createServer((_request, response) => response.writeHead(426).end());
  private readonly webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: maxMessageBytes });
  private readonly users: SignalUsers;
  private readonly appState: AppState;
  private readonly delivery: Delivery;
  private readonly writer: MessageWriter;
  private readonly reader: MessageReader;
  private readonly pairing: Pairing;
  private readonly login: Login;
  private readonly router: StanzaRouter;
  private readonly fabricator: Fabricator;

  constructor(private readonly options: ProtocolServerOptions) {
    const { backend, log, load = false } = options;
    const { book: devices } = this;
    this.connections = this.live;
    this.certificate = ServerCertificate.open(options.certificatePath);
    const changed = (): void => {
      backend.onStateChanged?.();
    };
    const users = (this.users = new SignalUsers(load, changed));
    const encrypt = new EncryptIq({
      backend,
      devices,
      users,
      cacheBundles: load,
      reportedPreKeys: options.reportedPreKeys ?? (load ? 50 : undefined),
    });
    const delivery = (this.delivery = new Delivery({
      // Storing the devices of thousands of accounts at each message would be most of the load.
      changed: (device, isBrief) => {
        if (!load || !isBrief) backend.onDeviceChanged(device);
      },
      duplicates: (device) => backend.duplicates?.(device) === true,
      log,
    }));
    this.writer = new MessageWriter({ backend, users, delivery, kept: this.kept, taken: (device) => encrypt.taken(device) });
    this.reader = new MessageReader({ backend, users, readers: this.readers, load });
    this.appState = new AppState({ backend, devices, delivery, changed });
    this.pairing = new Pairing({ backend, devices, users, connections: this.live });
    this.login = new Login({ backend, devices, qr: { ...defaultQrOptions, ...options.qr } });
    this.fabricator = new Fabricator(load);
    const { pairing, login, appState, writer } = this;
    this.router = new StanzaRouter({
      backend,
      log,
      pairing,
      login,
      encrypt,
      appState,
      writer,
      delivery,
      removeDevice: (device) => this.removeDevice(device),
    });
    this.http.on("upgrade", (request, socket, head) => {
      if (!(socket instanceof Socket) || !backend.acceptsConnection((socket.remoteAddress ?? "").replace(/^::ffff:/, "")))
        return void socket.destroy();
      this.webSockets.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = new ClientConnection(webSocket, socket, this.host());
        this.all.add(connection);
        webSocket.on("close", () => this.closed(connection));
      });
    });
  }

  /** The 32 bytes that clients use as `WA_CERT_DETAILS.PUBLIC_KEY`. */
  get publicKey(): Buffer {
    return this.certificate.rootPublicKey;
  }

  /** The value for `waWebSocketUrl`. */
  get url(): string {
    const address = this.http.address();
    if (!address || typeof address === "string") throw new Error("server is not listening");
    return `ws://${this.options.host}:${address.port}/ws/chat`;
  }

  async start(): Promise<void> {
    this.http.listen(this.options.port, this.options.host);
    await once(this.http, "listening");
  }

  async stop(): Promise<void> {
    for (const connection of this.all) connection.destroy();
    if (!this.http.listening) return;
    this.http.close();
    this.http.closeAllConnections();
    await once(this.http, "close");
  }

  async pair(qr: string, phone: string): Promise<Device | "passkey"> {
    return await this.pairing.scan(qr, phone);
  }

  async enterPairingCode(phone: string, code: string): Promise<Device | "passkey"> {
    return await this.pairing.enterCode(phone, code);
  }

  confirmPasskey(phone: string, code: string): boolean {
    return this.pairing.confirmPasskey(phone, code);
  }

  awaitsPairingCode(phone: string): boolean {
    return this.pairing.awaitsCode(phone);
  }

  adoptDevice(device: PairedDevice): Device {
    const record = this.book.add(device);
    this.options.backend.onDeviceChanged(record);
    return record;
  }

  /** Links a device without a client. Returns complete credentials for a client with an empty key store. */
  fabricate(phone: string, fresh = false): AuthenticationCreds {
    const profile = this.options.backend.account(phone);
    if (!profile) throw new Error(`no account ${phone}`);
    const { creds, device } = this.fabricator.fabricate(profile, this.book.nextNumber(profile), this.users.of(profile), fresh);
    this.adoptDevice(device);
    return creds;
  }

  devices(phone: string): readonly Device[] {
    return this.book.of(phone);
  }

  device(phone: string, number: number): Device | undefined {
    return this.book.find(phone, number);
  }

  push(device: Device, stanza: BinaryNode): boolean {
    return this.delivery.deliver(this.record(device), stanza);
  }

  redeliver(device: Device, count: number): void {
    this.delivery.again(this.record(device), count);
  }

  deliveries(phone: string | undefined): readonly DeliveryEntry[] {
    return this.delivery.deliveries.list(phone);
  }

  disconnect(device: Device, kind: DisconnectKind): boolean {
    if (!device.connection?.open) return false;
    device.connection.disconnect(kind);
    return true;
  }

  removeDevice(device: Device): void {
    const record = this.record(device);
    this.book.remove(record);
    this.readers.forget(record.lidJid);
    record.connection?.disconnect("device-removed");
    this.options.backend.onDeviceChanged(record);
    this.options.backend.onDeviceListChanged?.(record, "remove");
  }

  ack(stanza: BinaryNode, connection: Connection, attrs: AckAttributes = {}): void {
    const { id = "", to = "", participant } = stanza.attrs;
    connection.send(
      node("ack", {
        class: "message",
        id,
        from: to,
        t: unixSeconds(),
        participant,
        server_id: attrs.serverId?.toString(),
        phash: attrs.phash,
        error: attrs.error?.toString(),
      }),
    );
  }

  async sendToDevice(device: Device, from: User, message: proto.IMessage, options: SendOptions = {}): Promise<string | undefined> {
    return await this.writer.send(this.record(device), from, message, options);
  }

  async askRetry(
    device: Device,
    from: User,
    messageId: string,
    options: { readonly chat?: string; readonly keys?: boolean; readonly count?: number } = {},
  ): Promise<boolean> {
    const { chat = `${from.lid}@lid`, keys = false, count = keys ? 2 : 1 } = options;
    const phone = this.users.of(from);
    const participant = chat.endsWith("@g.us") || chat === "status@broadcast" ? `${from.lid}@lid` : undefined;
    return this.push(
      device,
      node("receipt", { from: chat, id: messageId, type: "retry", t: unixSeconds(), participant }, [
        node("retry", { count: String(count), id: messageId, t: unixSeconds(), v: "1" }),
        node("registration", {}, phone.registrationBytes),
        ...(keys ? [node("keys", {}, [...phone.bundle(false)])] : []),
      ]),
    );
  }

  relay(stanza: BinaryNode, device: Device, repeated = false): readonly string[] {
    return relay(stanza, this.record(device), repeated, { backend: this.options.backend, devices: this.book, delivery: this.delivery });
  }

  async sendFirstSync(device: Device): Promise<boolean> {
    const profile = this.options.backend.account(device.phone);
    return profile !== undefined && (await sendFirstSync(this.record(device), profile, this.appState, this.writer, this.options.backend));
  }

  async decrypt(stanza: BinaryNode, device: Device): Promise<DecryptedMessage> {
    return await this.reader.read(stanza, this.record(device));
  }

  async syncAddressBook(phone: string, change: AddressBookChange): Promise<void> {
    this.appState.change(phone, change);
  }

  *exportState(): Generator<StoredState> {
    for (const stored of this.book.export()) yield { kind: "devices", ...stored };
    for (const stored of this.kept.export(this.book.all())) yield { kind: "messages", ...stored };
    for (const stored of this.users.export()) yield { kind: "user", ...stored };
    for (const stored of this.readers.export()) yield { kind: "readers", ...stored };
    for (const stored of this.appState.export()) yield { kind: "app-state", ...stored };
  }

  /** Throws a TypeGuardError if `exportState` cannot have produced the record. */
  importState(record: unknown): void {
    const stored = typia.assert<StoredState>(record);
    switch (stored.kind) {
      case "devices":
        this.book.import(stored);
        for (const device of this.book.of(stored.phone)) this.delivery.restored(device);
        return;
      case "messages": {
        const device = this.book.find(stored.phone, stored.number);
        if (device !== undefined) this.kept.import(device, stored);
        return;
      }
      case "user":
        return this.users.import(stored);
      case "readers":
        return this.readers.import(stored);
      case "app-state":
        return this.appState.import(stored);
      default:
        stored satisfies never;
    }
  }

  private host() {
    return {
      certificate: () => this.shownCertificate(),
      log: this.options.log,
      established: (connection: ClientConnection, handshake: Parameters<Login["accept"]>[1]) => {
        this.live.add(connection);
        this.login.accept(connection, handshake);
        if (connection.registration) this.pairing.registered(connection);
        this.options.backend.onConnectionChanged(connection, true);
      },
      stanza: (connection: ClientConnection, stanza: BinaryNode) => this.router.receive(connection, stanza),
    };
  }

  private shownCertificate(): ShownCertificate {
    const forged = certificateForgeries.find((one) => this.options.backend.forges?.(one));
    return forged === undefined ? this.certificate : this.certificate.forged(forged);
  }

  private closed(connection: ClientConnection): void {
    this.all.delete(connection);
    if (!this.live.delete(connection)) return;
    this.pairing.closed(connection);
    const { device } = connection;
    if (device?.connection === connection) device.connection = undefined;
    this.options.backend.onConnectionChanged(connection, false);
  }

  /** The model returns the same device objects that it received. */
  private record(device: Device): DeviceRecord {
    if (!(device instanceof DeviceRecord)) throw new TypeError("device of another server");
    return device;
  }
}
