import type { ConnectorContext } from "../session/session-context.js";
import type { AuthStore } from "./auth-store.js";
import type { Client } from "./client.js";

/**
 * One registration of a new device, on one connection: shows each QR code as it comes, or, when a phone is given, asks for one pairing code and
 * shows that instead. An account whose phone asks for a passkey cannot be linked by this kind of client: its session says so and shows no further
 * codes until its 3 minutes are over, or until it is reset.
 */
export class Registration {
  private codeAsked = false;
  private readonly working = new Set<Promise<void>>();

  constructor(
    private readonly context: ConnectorContext,
    private readonly auth: AuthStore,
    private readonly client: () => Client,
  ) {}

  /** Synchronous, never throws: called from within the library. The handshake is over when the first QR is there, so a code can be asked for. */
  onQr(text: string): void {
    if (this.auth.pairingPhone !== "") this.askCode();
    else this.run(async () => void (await this.context.dispatch({ type: "qr-issued", qr: text })));
  }

  /** A pairing code for this phone (digits) is wanted from now on. */
  usePhone(phone: string): void {
    this.auth.pairBy(phone);
    // Without a QR the handshake is not over yet: the first one asks for the code.
    const state = this.context.state();
    if (state.kind === "awaiting-qr" && state.qr !== "") this.askCode();
  }

  /** The platform puts a step between the scan and the link that this client cannot take. Synchronous, never throws. */
  onRefresh(): void {
    this.context.log.warn("the phone asks for a passkey, linking cannot go on");
    this.run(async () => void (await this.context.dispatch({ type: "linking-refused", refusal: passkeyRefusal })));
  }

  /** Resolves when all that was begun is told. */
  async settled(): Promise<void> {
    await Promise.all(this.working);
  }

  private askCode(): void {
    if (this.codeAsked) return;
    this.codeAsked = true;
    this.run(async () => {
      const pairingCode = await this.client().sock.requestPairingCode(this.auth.pairingPhone);
      await this.context.dispatch({ type: "pairing-code-issued", pairingCode });
    });
  }

  private run(work: () => Promise<void>): void {
    const running = work()
      // The connection that the code belongs to is over, or the store is away; the next connection brings another code.
      .catch((error: unknown) => this.context.log.info({ err: error }, "code could not be shown"))
      .finally(() => this.working.delete(running));
    this.working.add(running);
  }
}

/** For the account's owner, so it says what helps. */
const passkeyRefusal = "the phone asks for a passkey to link this device, which is not supported; reset the session to try again";
