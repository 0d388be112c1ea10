/** One WebSocket connection of a client: handshake, stanzas in both directions, and every reason to close it. */
import type { Socket } from "node:net";
import type { BinaryNode } from "@whiskeysockets/baileys";
import { WebSocket } from "ws";
import type { Connection, DisconnectKind } from "../whatsapp-backend.js";
import type { DeviceRecord } from "./device-book.js";
import { node } from "./node.js";
import type { Registration } from "./pairing/registration.js";
import type { ProtocolLog } from "./protocol-log.js";
import { FrameReader } from "./transport/frame-reader.js";
import { decodeNode, encodeNode } from "./transport/node-codec.js";
import { type FrameCipher, type Handshake, NoiseResponder } from "./transport/noise.js";
import type { ShownCertificate } from "./transport/server-certificate.js";
import { ProtocolViolation } from "./violation.js";

/** The functions of the server that a connection uses. */
export interface ConnectionHost {
  /** Returns the certificate for one connection. */
  certificate(): ShownCertificate;
  readonly log: ProtocolLog;
  /** Called when the client has proved its static key and sent its payload. */
  established(connection: ClientConnection, handshake: Handshake): void;
  /** Called for each stanza. May throw a ProtocolViolation. */
  stanza(connection: ClientConnection, node: BinaryNode): void;
}

/** Limit of unread bytes; a client above it is disconnected. */
const maxUnreadBytes = 32 * 1_024 * 1_024;
/** Limit for the handshake. Handshakes of many clients at once take long. */
const handshakeMs = 120_000;
/** Clients send keep-alives twice a minute. */
const idleMs = 600_000;
/**
 * Delay before closing. The library decodes stanzas asynchronously, and a close before the last stanza hides its code. Usually the client
 * closes first.
 */
const closeDelayMs = 500;

let connectionCount = 0;

export class ClientConnection implements Connection {
  readonly id = ++connectionCount;
  readonly openedAt = Date.now();
  readonly remoteAddress: string;
  device: DeviceRecord | undefined;
  /** Set while the client is linking. */
  registration: Registration | undefined;
  clientStatic: Buffer = Buffer.alloc(0);
  /** Number of stanzas without a response yet. */
  pending = 0;
  private readonly reader = new FrameReader();
  private responder: NoiseResponder | undefined;
  private cipher: FrameCipher | undefined;
  private helloed = false;
  private silent = false;
  private ending = false;
  private closeTimer: NodeJS.Timeout | undefined;
  private readonly handshakeTimer: NodeJS.Timeout;

  constructor(
    private readonly webSocket: WebSocket,
    private readonly socket: Socket,
    private readonly host: ConnectionHost,
  ) {
    this.remoteAddress = (socket.remoteAddress ?? "").replace(/^::ffff:/, "");
    this.responder = new NoiseResponder(host.certificate());
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 60_000);
    socket.setTimeout(idleMs, () => this.destroy());
    this.handshakeTimer = setTimeout(() => this.destroy(), handshakeMs);
    webSocket.on("message", (bytes, isBinary) => this.receive(bytes, isBinary));
    // "close" follows every error and removes the connection.
    webSocket.on("error", (error) => host.log.debug("connection failed", { connection: this.id, error: error.message }));
    webSocket.on("close", () => {
      clearTimeout(this.handshakeTimer);
      clearTimeout(this.closeTimer);
    });
  }

  get open(): boolean {
    return this.webSocket.readyState === WebSocket.OPEN && !this.ending;
  }

  get wantsToBe(): Connection["wantsToBe"] {
    return this.registration && { os: this.registration.os, platformType: this.registration.platformType };
  }

  get refs(): readonly string[] {
    return this.registration?.validRefs() ?? [];
  }

  /** Routing info of an earlier connection, as the client returned it. */
  get routing(): Buffer | undefined {
    return this.reader.routing;
  }

  send(stanza: BinaryNode): void {
    if (!this.cipher || !this.open || this.silent) return;
    this.write(this.cipher.encrypt(encodeNode(stanza)));
  }

  disconnect(kind: DisconnectKind): void {
    if (!this.open) return;
    switch (kind) {
      case "silent":
        this.silent = true;
        return;
      case "reset":
        this.destroy();
        return;
      case "close":
        this.end(0);
        return;
      default:
        this.send(farewell(kind));
        this.end(closeDelayMs);
    }
  }

  destroy(): void {
    this.ending = true;
    this.socket.resetAndDestroy();
  }

  private end(delayMs: number): void {
    this.ending = true;
    this.closeTimer = setTimeout(() => this.webSocket.close(), delayMs);
  }

  /** Writes one frame. */
  private write(payload: Buffer): void {
    if (this.webSocket.bufferedAmount > maxUnreadBytes) {
      this.host.log.warn("client does not read, connection closed", { connection: this.id, unreadBytes: this.webSocket.bufferedAmount });
      this.destroy();
      return;
    }
    const frame = Buffer.allocUnsafe(3 + payload.length);
    frame.writeUIntBE(payload.length, 0, 3);
    payload.copy(frame, 3);
    this.webSocket.send(frame);
  }

  private receive(bytes: Buffer, isBinary: boolean): void {
    if (!this.open || this.silent) return;
    try {
      if (!isBinary) throw new ProtocolViolation("text message");
      for (const frame of this.reader.read(bytes)) {
        this.frame(frame);
        if (!this.open || this.silent) return;
      }
    } catch (error) {
      if (error instanceof ProtocolViolation) this.host.log.debug("connection closed", { connection: this.id, reason: error.message });
      else this.host.log.error("frame not handled", { connection: this.id, error });
      this.end(0);
    }
  }

  private frame(frame: Buffer): void {
    if (this.cipher) return this.host.stanza(this, decodeNode(this.cipher.decrypt(frame)));
    if (!this.responder) throw new ProtocolViolation("frame out of turn");
    if (!this.helloed) {
      this.helloed = true;
      return this.write(this.responder.hello(frame));
    }
    const handshake = this.responder.finish(frame);
    this.responder = undefined;
    clearTimeout(this.handshakeTimer);
    this.cipher = handshake.cipher;
    this.clientStatic = handshake.clientStatic;
    this.reader.established = true;
    this.host.established(this, handshake);
  }
}

function farewell(kind: Exclude<DisconnectKind, "silent" | "reset" | "close">): BinaryNode {
  switch (kind) {
    case "restart":
      return node("stream:error", { code: "515" });
    case "device-removed":
      return node("stream:error", { code: "401" }, [node("conflict", { type: "device_removed" })]);
    case "replaced":
      return node("stream:error", {}, [node("conflict", { type: "replaced" })]);
    case "overloaded":
      return node("stream:error", { code: "503" });
    case "malformed":
      return node("stream:error", {}, [node("xml-not-well-formed")]);
    case "downgrade":
      return node("ib", {}, [node("downgrade_webclient")]);
    case "end":
      return node("xmlstreamend");
    default:
      return node("failure", { reason: String(kind), location: "sandbox" });
  }
}
