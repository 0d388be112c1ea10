/** Routes each stanza of a client to its handler in the protocol or the model. */
import type { BinaryNode } from "@whiskeysockets/baileys";
import { IqFault, noAnswer, serverJid, type WhatsAppBackend } from "../whatsapp-backend.js";
import type { AppState } from "./app-state/app-state.js";
import type { ClientConnection } from "./connection.js";
import type { DeviceRecord } from "./device-book.js";
import type { EncryptIq } from "./encrypt-iq.js";
import { sendFirstSync } from "./first-sync.js";
import type { Login } from "./login.js";
import type { Delivery } from "./messages/delivery.js";
import type { MessageWriter } from "./messages/message-writer.js";
import { child, node } from "./node.js";
import type { Pairing } from "./pairing/pairing.js";
import type { ProtocolLog } from "./protocol-log.js";
import { ProtocolViolation } from "./violation.js";

export interface StanzaTools {
  readonly backend: WhatsAppBackend;
  readonly pairing: Pairing;
  readonly login: Login;
  readonly encrypt: EncryptIq;
  readonly appState: AppState;
  readonly writer: MessageWriter;
  readonly delivery: Delivery;
  readonly log: ProtocolLog;
  readonly removeDevice: (device: DeviceRecord) => void;
}

/** Limit of stanzas without a response; a client above it is disconnected. */
const maxPending = 4_096;

type Content = BinaryNode["content"];

export class StanzaRouter {
  constructor(private readonly tools: StanzaTools) {}

  /** Starts the work in the order of the calls. Throws a ProtocolViolation above the limit of pending stanzas. */
  receive(connection: ClientConnection, stanza: BinaryNode): void {
    if (connection.pending >= maxPending) throw new ProtocolViolation("too many unanswered stanzas");
    connection.pending += 1;
    this.handle(connection, stanza)
      .catch((error: unknown) => this.failed(connection, stanza, error))
      .finally(() => (connection.pending -= 1));
  }

  private async handle(connection: ClientConnection, stanza: BinaryNode): Promise<void> {
    if ((await this.tools.backend.intercept(stanzaKind(stanza), stanza, connection)) === noAnswer) return;
    if (stanza.tag === "iq") {
      await this.iq(connection, stanza);
      return;
    }
    const { device } = connection;
    if (!device) return;
    switch (stanza.tag) {
      case "message": {
        await this.tools.backend.message(stanza, device, connection);
        return;
      }
      case "receipt": {
        await this.receipt(connection, stanza, device);
        return;
      }
      case "presence": {
        this.tools.backend.presence(stanza, device);
        return;
      }
      case "chatstate": {
        this.tools.backend.chatstate(stanza, device);
        return;
      }
      case "ack": {
        this.tools.delivery.confirm(device, stanza);
        return;
      }
      default:
      // `ib` gets no response.
    }
  }

  private async iq(connection: ClientConnection, stanza: BinaryNode): Promise<void> {
    const { type, id, to = serverJid } = stanza.attrs;
    if (type === "result" || type === "error") {
      this.tools.pairing.answer(stanza, connection);
      return;
    }
    if (!id) throw new ProtocolViolation("IQ without an id");
    const answer = connection.device
      ? await this.answer(connection, stanza, connection.device)
      : await this.unlinkedAnswer(connection, stanza);
    if (answer === noAnswer) return;
    connection.send(node("iq", { from: to, type: "result", id }, answer));
    if (connection.device) this.afterwards(connection, stanza, connection.device);
  }

  private async unlinkedAnswer(connection: ClientConnection, stanza: BinaryNode): Promise<Content> {
    if (stanza.attrs.xmlns === "w:p") return undefined;
    if (stanza.attrs.xmlns === "md") return await this.tools.pairing.iq(stanza, connection);
    throw new IqFault(401, "not-authorized");
  }

  private async answer(connection: ClientConnection, stanza: BinaryNode, device: DeviceRecord): Promise<Content | typeof noAnswer> {
    switch (stanza.attrs.xmlns) {
      case "w:p":
      case "passive":
      case "md":
      case "urn:xmpp:whatsapp:dirty":
        return undefined;
      case "encrypt":
        return await this.tools.encrypt.answer(stanza, device);
      case "w:sync:app:state":
        return await this.tools.appState.answer(stanza, device);
      default:
        return await this.tools.backend.iq(stanza, device, connection);
    }
  }

  /** Runs the effects of an IQ after its response. */
  private afterwards(connection: ClientConnection, stanza: BinaryNode, device: DeviceRecord): void {
    const request = child(stanza)?.tag;
    if (stanza.attrs.xmlns === "md" && request === "remove-companion-device") return this.tools.removeDevice(device);
    if (stanza.attrs.xmlns !== "passive" || request !== "active") return;
    const { login, delivery } = this.tools;
    if (device.connection === connection) login.active(connection, delivery.activate(device));
    const profile = this.tools.backend.account(device.phone);
    if (!device.fresh || !profile) return;
    sendFirstSync(device, profile, this.tools.appState, this.tools.writer, this.tools.backend)
      .then((sent) => {
        device.fresh = !sent;
        if (sent) this.tools.backend.onDeviceChanged(device);
      })
      .catch((error: unknown) => this.tools.log.error("first sync not sent", { error }));
  }

  private async receipt(connection: ClientConnection, stanza: BinaryNode, device: DeviceRecord): Promise<void> {
    const { id = "", to = serverJid, type, participant } = stanza.attrs;
    connection.send(node("ack", { class: "receipt", id, from: to, type, participant }));
    this.tools.delivery.confirm(device, stanza);
    this.tools.backend.receipt(stanza, device);
    if (type === "retry") await this.tools.writer.again(stanza, device);
  }

  private failed(connection: ClientConnection, stanza: BinaryNode, error: unknown): void {
    if (error instanceof IqFault) {
      const { id, to = serverJid } = stanza.attrs;
      if (stanza.tag !== "iq" || !id) return;
      connection.send(node("iq", { from: to, type: "error", id }, [node("error", { code: String(error.code), text: error.text })]));
    } else if (error instanceof ProtocolViolation) {
      this.tools.log.debug("connection closed", { connection: connection.id, reason: error.message });
      connection.disconnect("malformed");
    } else {
      this.tools.log.error("stanza not handled", { stanza: stanzaKind(stanza), error });
    }
  }
}

/** Returns the name of a stanza's class, as defined by `StanzaKind`. */
export function stanzaKind(stanza: BinaryNode): string {
  if (stanza.tag !== "iq" || stanza.attrs.type === "result" || stanza.attrs.type === "error") return stanza.tag;
  return ["iq", stanza.attrs.xmlns ?? "", child(stanza)?.tag ?? ""].join(" ").trim();
}
