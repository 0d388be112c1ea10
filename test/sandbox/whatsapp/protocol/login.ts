/** Handles the payload of a client's handshake: a registration to be linked, or a device's login. */
import type { BinaryNode } from "@whiskeysockets/baileys";
import { serverJid, type WhatsAppBackend } from "../whatsapp-backend.js";
import type { ClientConnection } from "./connection.js";
import type { DeviceBook, DeviceRecord } from "./device-book.js";
import { node, stanzaId, unixSeconds } from "./node.js";
import { type QrOptions, Registration } from "./pairing/registration.js";
import type { Handshake } from "./transport/noise.js";

export interface LoginTools {
  readonly backend: WhatsAppBackend;
  readonly devices: DeviceBook;
  readonly qr: QrOptions;
}

/** `failure` reason for a device that is not linked or does not prove its key. */
const notLinked = 401;

export class Login {
  constructor(private readonly tools: LoginTools) {}

  /** Throws a ProtocolViolation when a registration is malformed. */
  accept(connection: ClientConnection, { payload }: Handshake): void {
    const { backend, devices, qr } = this.tools;
    const { primary, secondary, tertiary } = payload.userAgent?.appVersion ?? {};
    const version = [primary ?? 0, secondary ?? 0, tertiary ?? 0].join(".");
    if (payload.devicePairingData) {
      const refused = backend.refuses(undefined, connection.remoteAddress, version);
      if (refused !== undefined) return connection.disconnect(refused);
      connection.registration = new Registration(payload.devicePairingData, qr);
      return connection.send(connection.registration.pairDevice());
    }
    const device = devices.find(String(payload.username), payload.device ?? 0);
    const refused = device?.noiseKey.equals(connection.clientStatic)
      ? backend.refuses(device, connection.remoteAddress, version)
      : notLinked;
    if (!device || refused !== undefined) return connection.disconnect(refused ?? notLinked);
    this.takeOver(connection, device);
    connection.send(
      node("success", { t: unixSeconds(), lid: device.lidJid, location: "sandbox", creation: String(Math.floor(device.pairedAt / 1_000)) }),
    );
  }

  /** Sends the queued stanzas and their number, once the client has completed its login. */
  active(connection: ClientConnection, waited: readonly BinaryNode[]): void {
    if (!connection.routing) {
      const routing = node("edge_routing", {}, [node("routing_info", {}, Buffer.from([8, 2, 8, 5]))]);
      connection.send(node("ib", { from: serverJid }, [routing]));
    }
    const count = String(waited.length);
    const of = (kind: string): string => String(waited.filter(({ tag }) => tag === kind).length);
    const counts = { count, message: of("message"), receipt: of("receipt"), notification: of("notification"), appdata: "0" };
    connection.send(node("ib", { from: serverJid, id: stanzaId() }, [node("offline_preview", counts)]));
    for (const stanza of waited) connection.send(stanza);
    connection.send(node("ib", { from: serverJid, id: stanzaId() }, [node("offline", { count })]));
  }

  private takeOver(connection: ClientConnection, device: DeviceRecord): void {
    const older = device.connection;
    device.connection = connection;
    device.active = false;
    connection.device = device;
    if (!older?.open) return;
    older.disconnect("replaced");
    this.tools.backend.onOverlap?.(device, [older.remoteAddress, connection.remoteAddress]);
  }
}
