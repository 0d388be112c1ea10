/** Links clients to accounts by a scanned QR code or a typed pairing code. */
import { randomBytes } from "node:crypto";
import { type BinaryNode, Curve, jidDecode, proto } from "@whiskeysockets/baileys";
import type { SignatureForgery } from "../../forgeries.js";
import { type AccountProfile, type Device, IqFault, serverJid, type WhatsAppBackend } from "../../whatsapp-backend.js";
import type { ClientConnection } from "../connection.js";
import type { DeviceBook } from "../device-book.js";
import { bytesOf, child, node, stanzaId } from "../node.js";
import type { SignalUsers } from "../signal/signal-users.js";
import { ProtocolViolation } from "../violation.js";
import { PasskeyLinking } from "../passkey/passkey-linking.js";
import { CodeExchange } from "./code-exchange.js";
import { type AccountSignature, isAcceptedByCompanion, sealForCompanion, signDevice } from "./device-signature.js";

export interface PairingTools {
  readonly backend: WhatsAppBackend;
  readonly devices: DeviceBook;
  readonly users: SignalUsers;
  readonly connections: ReadonlySet<ClientConnection>;
}

/** Limit for the client's signature. */
const signatureMs = 30_000;

interface Attempt {
  readonly iqId: string;
  readonly account: AccountProfile;
  readonly number: number;
  readonly signature: AccountSignature;
  readonly settle: (result: Linked | Error) => void;
}

interface CodeRequest {
  readonly connection: ClientConnection;
  readonly exchange: CodeExchange;
  settle: ((result: Linked | Error) => void) | undefined;
}

/** The linked device, or "passkey" if the client must first use the account's passkey. */
type Linked = Device | "passkey";

export class Pairing {
  private readonly attempts = new Map<ClientConnection, Attempt>();
  /** By phone number. A new request replaces the old one. */
  private readonly codes = new Map<string, CodeRequest>();
  private readonly passkeys: PasskeyLinking;

  constructor(private readonly tools: PairingTools) {
    this.passkeys = new PasskeyLinking({
      backend: tools.backend,
      link: (connection, account, advSecret) => this.link(connection, account, advSecret),
    });
  }

  async scan(qr: string, phone: string): Promise<Linked> {
    const [reference = "", noiseKey, identity, advSecret = ""] = qr.slice(qr.indexOf("#") + 1).split(",");
    const connection = [...this.tools.connections].find(({ open, refs }) => open && refs.includes(reference));
    const registration = connection?.registration;
    if (!connection || !registration) throw new Error("unknown or expired QR reference");
    if (connection.clientStatic.toString("base64") !== noiseKey || registration.identity.toString("base64") !== identity)
      throw new Error("QR of another client");
    return await this.linkOrAsk(connection, this.account(phone), Buffer.from(advSecret, "base64"));
  }

  /** Returns whether the companion's code equals the phone's. */
  confirmPasskey(phone: string, code: string): boolean {
    return this.passkeys.confirm(phone, code);
  }

  /** Called when a client that wants to be linked has connected. */
  registered(connection: ClientConnection): void {
    this.passkeys.registered(connection);
  }

  awaitsCode(phone: string): boolean {
    return this.codes.get(phone)?.connection.open === true;
  }

  async enterCode(phone: string, code: string): Promise<Linked> {
    const request = this.codes.get(phone);
    if (!request?.connection.open) throw new Error("no client waits for a pairing code of this number");
    const account = this.account(phone);
    const identity = this.tools.users.of(account).identity;
    // The client may disconnect from here on, which settles the wait.
    return await waitFor((settle) => {
      request.settle?.(new Error("another code was entered"));
      request.settle = settle;
      request.exchange.primaryHello(code, identity).then((hello) => request.connection.send(hello), settle);
    });
  }

  /** Handles IQs of a client that is not linked yet. */
  async iq(stanza: BinaryNode, connection: ClientConnection): Promise<BinaryNode[] | undefined> {
    const request = child(stanza, "link_code_companion_reg");
    if (!request) return this.passkeys.iq(child(stanza), connection);
    const phone = jidDecode(request?.attrs.jid)?.user;
    if (!phone) throw new IqFault(400, "bad-request");
    switch (request.attrs.stage) {
      case "companion_hello":
        return [this.companionHello(request, phone, connection)];
      case "companion_finish":
        this.companionFinish(request, phone, connection);
        return undefined;
      default:
        throw new IqFault(400, "bad-request");
    }
  }

  /** Handles the client's response to `pair-success`. Throws a ProtocolViolation when its signature is wrong. */
  answer(stanza: BinaryNode, connection: ClientConnection): void {
    const attempt = this.attempts.get(connection);
    const registration = connection.registration;
    if (!attempt || !registration || stanza.attrs.id !== attempt.iqId) return;
    this.attempts.delete(connection);
    const signed = bytesOf(child(child(stanza, "pair-device-sign"), "device-identity"));
    if (!signed || !isAcceptedByCompanion(signed, attempt.signature, registration.identity)) {
      attempt.settle(new Error("client did not sign"));
      throw new ProtocolViolation("device signature is wrong");
    }
    const { phone, lid } = attempt.account;
    const { signedPreKey: key } = registration;
    const device = this.tools.devices.add({
      phone,
      lid,
      number: attempt.number,
      noiseKey: connection.clientStatic.toString("base64"),
      identity: registration.identity.toString("base64"),
      registrationId: registration.registrationId,
      signedPreKey: { id: key.id.toString("base64"), value: key.value.toString("base64"), signature: key.signature.toString("base64") },
      preKeys: [],
      pairedAt: Date.now(),
      fresh: true,
    });
    this.tools.backend.onDeviceChanged(device);
    this.tools.backend.onDeviceListChanged?.(device, "add");
    connection.disconnect("restart");
    attempt.settle(device);
  }

  /** Rejects all waits for a closed connection. */
  closed(connection: ClientConnection): void {
    const gone = new Error("client closed the connection");
    this.attempts.get(connection)?.settle(gone);
    this.attempts.delete(connection);
    for (const [phone, request] of this.codes) {
      if (request.connection !== connection) continue;
      request.settle?.(gone);
      this.codes.delete(phone);
    }
  }

  private account(phone: string): AccountProfile {
    const account = this.tools.backend.account(phone);
    if (!account) throw new Error(`no account ${phone}`);
    return account;
  }

  private async linkOrAsk(connection: ClientConnection, account: AccountProfile, advSecret: Buffer): Promise<Linked> {
    if (account.passkey !== true) return await this.link(connection, account, advSecret);
    this.passkeys.ask(connection, account, advSecret);
    return "passkey";
  }

  private async link(connection: ClientConnection, account: AccountProfile, advSecret: Buffer): Promise<Linked> {
    const { registration } = connection;
    if (!registration || this.attempts.has(connection)) throw new Error("client is being linked already");
    const number = this.tools.devices.nextNumber(account);
    const { identity } = this.tools.users.of(account);
    const forges = (what: SignatureForgery): boolean => this.tools.backend.forges?.(what, account.phone) === true;
    const signer = forges("account-signature") ? Curve.generateKeyPair() : identity;
    const signature = { ...signDevice(signer, registration.identity, number), accountSignatureKey: Buffer.from(identity.public) };
    const secret = forges("link-seal") ? randomBytes(32) : advSecret;
    const iqId = stanzaId();
    const paired = waitFor((settle) => this.attempts.set(connection, { iqId, account, number, signature, settle }));
    connection.send(
      node("iq", { from: serverJid, type: "set", id: iqId, xmlns: "md" }, [
        node("pair-success", {}, [
          node("device-identity", {}, sealForCompanion(signature, secret)),
          node("device", { jid: `${account.phone}:${number}@s.whatsapp.net`, lid: `${account.lid}:${number}@lid` }),
          node("client-props", {}, clientProps(account)),
          node("platform", { name: account.businessName === undefined ? "android" : "smba" }),
          ...(account.businessName === undefined ? [] : [node("biz", { name: account.businessName })]),
        ]),
      ]),
    );
    try {
      return await paired;
    } finally {
      if (this.attempts.get(connection)?.iqId === iqId) this.attempts.delete(connection);
    }
  }

  private companionHello(request: BinaryNode, phone: string, connection: ClientConnection): BinaryNode {
    const wrapped = bytesOf(child(request, "link_code_pairing_wrapped_companion_ephemeral_pub"));
    if (wrapped?.length !== 80) throw new IqFault(400, "bad-request");
    // whatsmeow's `PairPhone`: the name must be "Browser (OS)" with common names, and the server validates it.
    const display = bytesOf(child(request, "companion_platform_display"))?.toString() ?? "";
    if (!/^(Chrome|Edge|Firefox|IE|Opera|Safari) \((Ubuntu|Linux|Mac OS|macOS|Windows)\)$/.test(display))
      throw new IqFault(400, "bad-request");
    if (!this.tools.backend.account(phone)) throw new IqFault(404, "item-not-found");
    const exchange = new CodeExchange(phone, wrapped);
    this.codes.get(phone)?.settle?.(new Error("another client asks for a code of this number"));
    this.codes.set(phone, { connection, exchange, settle: undefined });
    return node("link_code_companion_reg", { stage: "companion_hello" }, [node("link_code_pairing_ref", {}, exchange.reference)]);
  }

  private companionFinish(request: BinaryNode, phone: string, connection: ClientConnection): void {
    const pending = this.codes.get(phone);
    const bundle = bytesOf(child(request, "link_code_pairing_wrapped_key_bundle"));
    const settle = pending?.settle;
    if (pending?.connection !== connection || !settle || !bundle || !connection.registration) throw new IqFault(400, "bad-request");
    const account = this.account(phone);
    pending.settle = undefined;
    let advSecret: Buffer;
    try {
      advSecret = pending.exchange.advSecret(bundle, this.tools.users.of(account).identity, connection.registration.identity);
    } catch (error) {
      settle(new Error("wrong pairing code", { cause: error }));
      throw new IqFault(400, "bad-request");
    }
    this.codes.delete(phone);
    // The client expects the response to this IQ first.
    setImmediate(() => this.linkOrAsk(connection, account, advSecret).then(settle, settle));
  }
}

/** Returns the account properties that the phone sends to a companion. */
function clientProps({ lidMigrated = false }: AccountProfile): Buffer {
  return Buffer.from(proto.ClientPairingProps.encode({ isChatDbLidMigrated: lidMigrated }).finish());
}

/** Returns a promise that `settle` or the time limit ends. */
async function waitFor(start: (settle: (result: Linked | Error) => void) => void): Promise<Linked> {
  return await new Promise<Linked>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("client did not answer in time")), signatureMs);
    start((result) => {
      clearTimeout(timer);
      if (result instanceof Error) reject(result);
      else resolve(result);
    });
  });
}
