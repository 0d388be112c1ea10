import { randomBytes } from "node:crypto";
import type { ConnectorContext } from "../session/session-context.js";
import type { AuthStore } from "./auth-store.js";
import type { Client } from "./client.js";
import { QrCodes } from "./qr-codes.js";

/**
 * One registration of a new device, on one connection: shows each QR code as it comes, or, when a phone is given, asks for one pairing code and
 * shows that instead. A device that is in the middle of a linking by passkey shows neither.
 */
export class Registration {
  private readonly codes: QrCodes;
  private codeAsked = false;
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

  /** Synchronous, never throws: called from within the library. The handshake is over when the first QR is there, so a code can be asked for. */
  onQr(text: string): void {
    if (this.auth.attempt === undefined) this.codes.begin(text);
  }

  /** A pairing code for this phone (digits) is wanted from now on. */
  usePhone(phone: string): void {
    this.auth.pairBy(phone);
    // Without a QR the handshake is not over yet: the first one asks for the code.
    const state = this.context.state();
    if (state.kind === "awaiting-qr" && state.qr !== "") this.askCode();
  }

  /**
   * The platform takes the secret of the shown QR no longer. A typed code has agreed on a secret of its own, and a phone that has taken one of the two knows the one that it took. Synchronous, never throws.
   */
  onRefresh(): void {
    const { creds, attempt } = this.auth;
    if (attempt !== undefined || creds.pairingCode !== undefined) return;
    creds.advSecretKey = randomBytes(32).toString("base64");
    this.codes.renew(creds.advSecretKey);
  }

  /** A phone has taken a code, or there is no use in further ones. */
  stopCodes(): void {
    this.codes.stop();
  }

  /** Resolves when all that was begun is told. */
  async idle(): Promise<void> {
    this.codes.stop();
    await Promise.all(this.working);
  }

  private show(text: string): void {
    if (this.auth.pairingPhone !== "") this.askCode();
    else this.run(async () => void (await this.context.dispatch({ type: "qr-issued", qr: text })));
  }

  private askCode(): void {
    if (this.codeAsked) return;
    this.codeAsked = true;
    this.run(async () => {
      const pairingCode = await this.client().requestPairingCode(this.auth.pairingPhone);
      await this.context.dispatch({ type: "pairing-code-issued", pairingCode });
    });
  }

  private run(work: () => Promise<void>): void {
    const running = work()
      // The connection that the code belongs to is over, or the store is away; the next connection brings another code.
      .catch((error: unknown) => this.context.log.info({ err: error }, "login code not stored"))
      .finally(() => this.working.delete(running));
    this.working.add(running);
  }
}
