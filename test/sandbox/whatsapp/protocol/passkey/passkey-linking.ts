/**
 * Server and phone of linking a device by passkey, in the steps of whatsmeow's client (`pair-passkey.go`). An attempt is stored by the
 * companion's Noise key, so it continues after a reconnect.
 */
import { randomBytes } from "node:crypto";
import type { BinaryNode } from "@whiskeysockets/baileys";
import { type AccountProfile, IqFault, serverJid, type WhatsAppBackend } from "../../whatsapp-backend.js";
import type { ClientConnection } from "../connection.js";
import { bytesOf, child, node, stanzaId, unixSeconds } from "../node.js";
import { challengeMs, Passkey } from "./passkey.js";
import { isHandoffProof, PrimarySide, type Prologue, readPrologue } from "./primary.js";
import { faultOfAssertion } from "./verify-assertion.js";

export interface PasskeyLinkingTools {
  readonly backend: WhatsAppBackend;
  /** Sends `pair-success`, sealed with the secret. */
  readonly link: (connection: ClientConnection, account: AccountProfile, advSecret: Buffer) => Promise<unknown>;
}

type Stage =
  | { readonly name: "asked" }
  | { readonly name: "nonce-awaited"; readonly primary: PrimarySide; readonly proven: boolean }
  | { readonly name: "request-awaited"; readonly primary: PrimarySide; readonly code: string; readonly proven: boolean }
  | { readonly name: "over" };

interface Attempt {
  readonly account: AccountProfile;
  readonly passkey: Passkey;
  readonly challenge: Buffer;
  /** The secret from the scanned or typed code. */
  readonly advSecret: Buffer;
  readonly expiresAt: number;
  connection: ClientConnection;
  ref: string;
  stage: Stage;
  /** The person has compared the codes. */
  confirmed: boolean;
  /** The companion's request, held until the codes are compared. */
  requested: Buffer | undefined;
}

/** Limit of concurrent attempts; the oldest is evicted. */
const maxAttempts = 1_000;

export class PasskeyLinking {
  /** By the companion's Noise key in base64. */
  private readonly attempts = new Map<string, Attempt>();

  constructor(private readonly tools: PasskeyLinkingTools) {}

  /** Requests the passkey from the client after the phone has read the code. */
  ask(connection: ClientConnection, account: AccountProfile, advSecret: Buffer): void {
    const passkey = new Passkey(account.phone);
    const attempt: Attempt = {
      ...{ account, passkey, advSecret, connection, confirmed: false, requested: undefined },
      challenge: randomBytes(32),
      expiresAt: Date.now() + challengeMs,
      ref: "",
      stage: { name: "asked" },
    };
    this.attempts.set(keyOf(connection), attempt);
    const [oldest] = this.attempts.keys();
    if (this.attempts.size > maxAttempts && oldest !== undefined) this.attempts.delete(oldest);
    const options = this.fault(attempt, "unreadable-options") ? Buffer.from("{") : optionsOf(attempt);
    connection.send(notification("passkey_prologue_request", node("passkey_request_options", {}, options)));
  }

  /** Repeats the pending notification when a companion with a live attempt reconnects. */
  registered(connection: ClientConnection): void {
    const attempt = this.live(connection);
    if (attempt === undefined) return;
    if (this.fault(attempt, "forgotten")) {
      this.attempts.delete(keyOf(connection));
      return;
    }
    attempt.connection = connection;
    if (attempt.stage.name === "nonce-awaited") connection.send(continuation(attempt.stage.primary.identity));
  }

  /** Handles IQs of a client that is not linked yet. Returns `undefined` for an empty result. */
  iq(request: BinaryNode | undefined, connection: ClientConnection): BinaryNode[] | undefined {
    const attempt = this.live(connection);
    if (attempt === undefined) throw new IqFault(404, "item-not-found");
    switch (request?.tag) {
      case "passkey_request_options":
        if (attempt.stage.name !== "asked") throw new IqFault(404, "item-not-found");
        return [node("passkey_request_options", {}, optionsOf(attempt))];
      case "ref":
        attempt.ref = randomBytes(16).toString("base64");
        return [node("ref", {}, Buffer.from(attempt.ref))];
      case "passkey_prologue":
        this.prologue(attempt, request);
        return undefined;
      case "companion_nonce":
        this.nonce(attempt, bytesOf(request) ?? Buffer.alloc(0));
        return undefined;
      case "encrypted_pairing_request":
        this.request(attempt, bytesOf(request) ?? Buffer.alloc(0));
        return undefined;
      default:
        throw badRequest();
    }
  }

  /** Returns whether the companion's code equals the phone's. Throws when the phone shows no code. */
  confirm(phone: string, code: string): boolean {
    const attempt = [...this.attempts.values()].find(({ account, stage }) => account.phone === phone && stage.name === "request-awaited");
    if (attempt?.stage.name !== "request-awaited" || attempt.stage.proven) throw new Error("no code is shown");
    if (attempt.stage.code !== code) {
      attempt.stage = { name: "over" };
      return false;
    }
    attempt.confirmed = true;
    this.link(attempt);
    return true;
  }

  private prologue(attempt: Attempt, request: BinaryNode): void {
    const { stage, passkey, challenge, connection } = attempt;
    const credentialId = bytesOf(child(request, "credential_id"));
    const assertion = bytesOf(child(request, "webauthn_assertion"));
    const payload = bytesOf(child(request, "prologue_payload"));
    const proof = bytesOf(child(request, "pairing_handoff_proof"));
    if (stage.name !== "asked" || !credentialId || !assertion || !payload) throw badRequest();
    if (faultOfAssertion(passkey, challenge, credentialId, assertion) !== undefined) throw badRequest();
    const prologue = readOrRefuse(payload);
    if (attempt.ref === "" || prologue.ref !== attempt.ref || prologue.deviceType !== connection.registration?.platformType)
      throw badRequest();
    if (proof !== undefined && !isHandoffProof(proof, attempt.advSecret, payload)) throw badRequest();
    const primary = new PrimarySide(prologue);
    attempt.stage = { name: "nonce-awaited", primary, proven: proof !== undefined };
    if (this.fault(attempt, "no-continuation")) return;
    const identity = this.fault(attempt, "malformed-continuation") ? primary.identity.subarray(0, 20) : primary.identity;
    // Sent after the response to this IQ.
    setImmediate(() => attempt.connection.send(continuation(identity)));
  }

  private nonce(attempt: Attempt, companionNonce: Buffer): void {
    const { stage } = attempt;
    if (stage.name !== "nonce-awaited") throw badRequest();
    const { primary, proven } = stage;
    if (!primary.isCommitted(companionNonce)) {
      attempt.stage = { name: "over" };
      throw badRequest();
    }
    attempt.stage = { name: "request-awaited", primary, proven, code: primary.code(companionNonce) };
    if (this.fault(attempt, "second-continuation")) {
      const ephemeral = new PrimarySide(emptyPrologue).identity;
      setImmediate(() => attempt.connection.send(continuation(ephemeral)));
    }
  }

  private request(attempt: Attempt, encrypted: Buffer): void {
    const { stage, connection } = attempt;
    if (stage.name !== "request-awaited") throw badRequest();
    let keys: ReturnType<PrimarySide["open"]>;
    try {
      keys = stage.primary.open(encrypted);
    } catch {
      throw badRequest();
    }
    if (!keys.noiseKey.equals(connection.clientStatic) || !connection.registration?.identity.equals(keys.identity)) throw badRequest();
    attempt.requested = this.fault(attempt, "old-secret") ? attempt.advSecret : keys.advSecret;
    if (stage.proven) attempt.confirmed = true;
    setImmediate(() => this.link(attempt));
  }

  /** Links the device once the request has arrived and the person or the proof has confirmed the companion. */
  private link(attempt: Attempt): void {
    const { requested, confirmed, connection, account, stage } = attempt;
    if (requested === undefined || !confirmed || stage.name === "over") return;
    attempt.stage = { name: "over" };
    // A companion that disconnected before it signed may send the request again.
    this.tools.link(connection, account, requested).catch(() => (attempt.stage = stage));
  }

  private live(connection: ClientConnection): Attempt | undefined {
    const attempt = this.attempts.get(keyOf(connection));
    return attempt !== undefined && attempt.expiresAt > Date.now() && attempt.stage.name !== "over" ? attempt : undefined;
  }

  private fault({ account }: Attempt, name: string): boolean {
    return this.tools.backend.passkeyFault?.(account.phone, name) === true;
  }
}

const emptyPrologue: Prologue = {
  identity: Buffer.alloc(0),
  publicKey: Buffer.alloc(32),
  deviceType: 0,
  ref: "",
  commitment: Buffer.alloc(32),
};

const badRequest = (): IqFault => new IqFault(400, "bad-request");

function keyOf({ clientStatic }: ClientConnection): string {
  return clientStatic.toString("base64");
}

function optionsOf({ passkey, challenge }: Attempt): Buffer {
  return Buffer.from(JSON.stringify(passkey.requestOptions(challenge)));
}

function continuation(identity: Buffer): BinaryNode {
  return notification("crsc_continuation", node("primary_ephemeral_identity", {}, identity));
}

function notification(type: string, content: BinaryNode): BinaryNode {
  return node("notification", { from: serverJid, type, id: stanzaId(), t: unixSeconds() }, [content]);
}

function readOrRefuse(payload: Buffer): Prologue {
  try {
    return readPrologue(payload);
  } catch {
    throw badRequest();
  }
}
