/** One TCP connection of a client: packets in both directions, key exchange, and every reason to close it. */
import type { Socket } from "node:net";
import type { Api } from "telegram";
import type { RpcConnection } from "../rpc.js";
import type { KeyRecord } from "./auth-key.js";
import { KeyExchange, type ExchangeTools, WrongDataCentre } from "./key-exchange.js";
import type { MessageIds } from "./messages/message-id.js";
import type { ProtocolLog } from "./protocol-log.js";
import type { Session } from "./messages/session.js";
import { Transport } from "./transport/transport.js";
import { ProtocolViolation } from "./violation.js";

/** The functions of the server that a connection uses. */
export interface ConnectionHost {
  readonly exchange: ExchangeTools;
  readonly ids: MessageIds;
  readonly log: ProtocolLog;
  /** Called for each encrypted packet. */
  receive(connection: Connection, packet: Buffer): void;
  pushTo(connection: Connection, update: Api.TypeUpdates): void;
}

/** Limit of unread bytes; a client above it is disconnected. */
const maxUnreadBytes = 8 * 1_024 * 1_024;
/** Limit for the first encrypted message. Handshakes of many clients at once take long. */
const firstMessageMs = 120_000;
/** The longest delay that a timer supports. */
const longestTimerMs = 2_147_483_647;

/** Codes of packets that are no messages. The client recognises them by their length of four bytes. */
export type TransportErrorCode = 404 | 429 | 444;

export class Connection implements RpcConnection {
  readonly remoteAddress: string;
  readonly openedAt = Date.now();
  key: KeyRecord | undefined;
  main = false;
  session: Session | undefined;
  /** The client requested no updates on this connection. */
  withoutUpdates = false;
  private readonly transport = new Transport();
  private readonly exchange: KeyExchange;
  private pingTimer: NodeJS.Timeout | undefined;
  private corked = false;

  constructor(
    readonly dcId: number,
    private readonly socket: Socket,
    private readonly host: ConnectionHost,
  ) {
    this.remoteAddress = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
    this.exchange = new KeyExchange(dcId, host.exchange);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 60_000);
    socket.setTimeout(firstMessageMs, () => this.destroy());
    socket.on("data", (segment) => this.receive(segment));
    // "close" follows every error and removes the connection.
    socket.on("error", (error) => this.host.log.debug("connection failed", { dcId, error: error.message }));
    socket.on("close", () => clearTimeout(this.pingTimer));
  }

  get open(): boolean {
    return !this.socket.destroyed && this.socket.writable;
  }

  /** True if this client's packets may end in random bytes. */
  get padded(): boolean {
    return this.transport.padded;
  }

  push(update: Api.TypeUpdates): void {
    this.host.pushTo(this, update);
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** Closes the connection once everything written so far was sent. */
  end(): void {
    // A client that never reads would keep the connection half closed.
    this.socket.setTimeout(5_000, () => this.destroy());
    this.socket.end();
  }

  attach(key: KeyRecord, session: Session): void {
    if (this.key !== key) {
      this.key?.connections.delete(this);
      this.key = key;
      key.connections.add(this);
      this.socket.setTimeout(0);
    }
    if (this.session !== session && this.session?.connection === this) this.session.connection = undefined;
    this.session = session;
    session.connection = this;
  }

  /** Must be called when the connection has closed. */
  detach(): void {
    this.key?.connections.delete(this);
    if (this.session?.connection !== this) return;
    this.session.close();
    this.session.connection = undefined;
  }

  /** Closes the connection after these seconds unless called again. */
  closeAfter(seconds: number): void {
    clearTimeout(this.pingTimer);
    this.pingTimer = setTimeout(() => this.destroy(), Math.min(Math.max(seconds, 1) * 1_000, longestTimerMs));
  }

  /** Sends an error number for a packet that cannot be handled at all. */
  transportError(code: TransportErrorCode): void {
    const packet = Buffer.allocUnsafe(4);
    packet.writeInt32LE(-code);
    this.send(packet);
  }

  /** Writes one packet. Packets of one event-loop turn are sent together. */
  send(packet: Buffer): void {
    if (!this.open) return;
    if (this.socket.writableLength > maxUnreadBytes) {
      this.host.log.warn("client does not read, connection closed", { dcId: this.dcId, unreadBytes: this.socket.writableLength });
      this.destroy();
      return;
    }
    if (!this.corked) {
      this.corked = true;
      this.socket.cork();
      process.nextTick(() => {
        this.corked = false;
        this.socket.uncork();
      });
    }
    for (const buffer of this.transport.frame(packet)) this.socket.write(buffer);
  }

  private receive(segment: Buffer): void {
    try {
      this.transport.receive(segment);
      for (let packet = this.transport.next(); packet && this.open; packet = this.transport.next()) this.packet(packet);
    } catch (error) {
      if (error instanceof WrongDataCentre) this.transportError(444);
      if (error instanceof ProtocolViolation) this.host.log.debug("connection closed", { dcId: this.dcId, reason: error.message });
      else this.host.log.error("packet not handled", { dcId: this.dcId, error });
      if (error instanceof WrongDataCentre) this.end();
      else this.destroy();
    }
  }

  private packet(packet: Buffer): void {
    if (packet.length < 8) throw new ProtocolViolation("packet without a key id");
    if (packet.readBigUInt64LE(0) === 0n) this.unencrypted(packet);
    else this.host.receive(this, packet);
  }

  /** Layout: key id 0 (8), message id (8), length (4), body. */
  private unencrypted(packet: Buffer): void {
    if (packet.length < 24) throw new ProtocolViolation("truncated unencrypted message");
    const length = packet.readUInt32LE(16);
    const surplus = packet.length - 20 - length;
    if (surplus < 0 || surplus > (this.padded ? 15 : 0)) throw new ProtocolViolation("wrong length of an unencrypted message");
    const body = this.exchange.answer(packet.subarray(20, 20 + length)).getBytes();
    const head = Buffer.alloc(20);
    head.writeBigInt64LE(this.host.ids.next("answer"), 8);
    head.writeUInt32LE(body.length, 16);
    this.send(Buffer.concat([head, body]));
  }
}
