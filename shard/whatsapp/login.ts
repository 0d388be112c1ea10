import { randomBytes } from "node:crypto";
import type { ConnectorContext } from "../session/session-context.js";
import type { AuthStore } from "./auth-store.js";
import type { Client } from "./client.js";
import { QrCodes } from "./qr-codes.js";

/**
 * Registers a new device on one connection. Shows each QR code, or requests and shows one pairing code if a phone is given. Shows neither
 * during a linking by passkey.
 */
export class Registration {
  private readonly codes: QrCodes;
  private codeRequested = false;
  private readonly working = new Set<Promise<void>>();

  constructor(
    private readonly context: ConnectorContext,
    private readonly auth: AuthStore,
    private readonly client: () => Client,
    qrMs: number | undefined,
  ) {
    this.codes = new QrCodes({ show: (text) => this.show(text), ended: () => this.client().giveUp(), qrMs });
  }

  onReferences(references: readonly string[]): void {
    this.codes.take(references);
  }

  /**
   * Starts the QR codes. Synchronous, never throws: the library calls it. The handshake is over by then, so a pairing code can be
   * requested.
   */
  onQr(text: string): void {
    if (this.auth.attempt === undefined) this.codes.begin(text);
  }

  /** Switches to a pairing code for this phone (digits). */
  usePhone(phone: string): void {
    this.auth.pairBy(phone);
    // Without a QR code the handshake is not over yet; the first QR code then triggers the request.
    const state = this.context.state();
    if (state.kind === "awaiting-qr" && state.qr !== "") this.requestCode();
  }

  /**
   * Replaces the secret in the QR codes, which the platform no longer accepts. A pairing code has a secret of its own, so it stays.
   * Synchronous, never throws.
   */
  onRefresh(): void {
    const { creds, attempt } = this.auth;
    if (attempt !== undefined || creds.pairingCode !== undefined) return;
    creds.advSecretKey = randomBytes(32).toString("base64");
    this.codes.renew(creds.advSecretKey);
  }

  /** Stops the QR codes: a phone has accepted a code, or more codes are useless. */
  stopCodes(): void {
    this.codes.stop();
  }

  /** Resolves when all started code changes are stored. */
  async idle(): Promise<void> {
    this.codes.stop();
    await Promise.all(this.working);
  }

  private show(text: string): void {
    if (this.auth.pairingPhone !== "") this.requestCode();
    else this.run(async () => void (await this.context.dispatch({ type: "qr-issued", qr: text })));
  }

  private requestCode(): void {
    if (this.codeRequested) return;
    this.codeRequested = true;
    this.run(async () => {
      const pairingCode = await this.client().requestPairingCode(this.auth.pairingPhone);
      await this.context.dispatch({ type: "pairing-code-issued", pairingCode });
    });
  }

  private run(work: () => Promise<void>): void {
    const running = work()
      // The code's connection has ended, or the store is unavailable; the next connection brings another code.
      .catch((error: unknown) => this.context.log.info({ err: error }, "login code not stored"))
      .finally(() => this.working.delete(running));
    this.working.add(running);
  }
}
