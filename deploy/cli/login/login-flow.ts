import type { PasskeyCredential, PasskeyOptions } from "../../../shared/contract/passkey.js";
import type { Platform } from "../../../shared/contract/platform.js";
import { pause } from "../../../shared/flow/pause.js";
import type { Cli } from "../cli.js";
import { CliError } from "../exit-code.js";
import { readGivenFile } from "../given-file.js";
import { isLoginRecord, isNamed, isPasskeyStatus, type LoginRecord } from "../gateway/responses.js";
import { NoResponse, Refusal } from "../gateway/refusal.js";
import { plain } from "../output/plain.js";
import { loginStep } from "./login-step.js";
import { passkeyStep } from "./passkey-step.js";
import { readPassword } from "./read-password.js";
import { scanOnSandbox } from "./sandbox-scan.js";
import { ShownCode } from "./shown-code.js";
import { waitingText } from "./waiting-text.js";

export interface LoginOptions {
  /** Sandbox account whose phone scans the code. */
  readonly sandboxScan?: string;
  readonly passwordFile?: string;
  readonly qrFile?: string;
  /** Signs the passkey challenge in place of the account's owner. */
  readonly approvePasskey?: (options: PasskeyOptions) => Promise<PasskeyCredential>;
}

/** Polling interval that the documents recommend during a scan. */
const pollMs = 2_000;
/** Longer than the 55 s that the platform gets to check a password. */
const passwordMs = 70_000;
const passwordTries = 3;
/** Time limit for a gateway that does not respond. A restart takes less. */
const timeoutMs = 60_000;

/** Leads a session from any state to connected. Ends if the session is deleted, which happens if the code is not scanned. */
export class LoginFlow {
  private readonly code: ShownCode;
  private shown = "";
  private said = "";
  private passwords = 0;

  constructor(
    private readonly cli: Cli,
    private readonly session: { id: string; platform: Platform },
    private readonly options: LoginOptions,
  ) {
    this.code = new ShownCode(cli, options.qrFile);
  }

  async run(): Promise<LoginRecord> {
    const { signal } = this.cli;
    let waitingSince = performance.now();
    for (let lastReplyAt = performance.now(), waitMs = 0; ; waitMs = pollMs) {
      await pause(waitMs, signal);
      signal.throwIfAborted();
      const record = await this.poll("", isLoginRecord, lastReplyAt);
      if (record === undefined) continue;
      lastReplyAt = performance.now();
      const step = loginStep(record);
      if (step.kind !== "code") this.code.clear();
      if (step.kind !== "wait") waitingSince = lastReplyAt;
      switch (step.kind) {
        case "connected":
          return record;
        case "password":
          await this.givePassword(step.hint);
          lastReplyAt = performance.now();
          break;
        case "pairing-code":
          this.sayOnce(
            `Pairing code: ${step.code}\nOn your phone, go to Linked devices › Link a device › Link with phone number instead, and enter this code.`,
          );
          break;
        case "code":
          await this.onceCode(step.png);
          break;
        case "stuck":
          await this.passkey(step.why, lastReplyAt);
          break;
        case "wait":
          this.sayOnce(waitingText(this.session, performance.now() - waitingSince));
          break;
        default:
          step satisfies never;
      }
    }
  }

  /** Undefined while the session moves to its owner or the gateway restarts. */
  private async poll<T>(below: string, is: (body: unknown) => body is T, lastReplyAt: number): Promise<T | undefined> {
    const { client } = this.cli;
    try {
      return await client.request({ path: this.path(below), headers: { id: this.session.id } }, is);
    } catch (error) {
      if (error instanceof Refusal && error.status === 404)
        throw new CliError(
          `session ${this.session.id} no longer exists: it was deleted, or nobody scanned its QR code within 3 minutes`,
          error.exitCode,
        );
      const passes = error instanceof NoResponse || (error instanceof Refusal && error.status >= 500);
      if (!passes || performance.now() - lastReplyAt > timeoutMs) throw error;
      return undefined;
    }
  }

  private async onceCode(png: string): Promise<void> {
    if (this.shown === png) return;
    this.shown = png;
    const { sandboxScan: account } = this.options;
    if (account === undefined) await this.code.show(png);
    else await scanOnSandbox(this.cli, this.session.platform, account, png);
  }

  private sayOnce(text: string): void {
    if (this.said !== text) this.cli.screen.say(text);
    this.said = text;
  }

  /** The owner confirms the passkey in a browser, so the person at this terminal passes the address on. */
  private async passkey(hint: string, lastReplyAt: number): Promise<void> {
    const cannot = (why: string): CliError => new CliError(`${this.session.id} cannot log in: ${plain(why)}`);
    if (this.session.platform !== "whatsapp") throw cannot(hint);
    const status = await this.poll("/passkey", isPasskeyStatus, lastReplyAt);
    if (status === undefined) return;
    const { approvePasskey } = this.options;
    if (status.state === "challenge" && status.options !== null && approvePasskey !== undefined)
      return this.sendPasskey(await approvePasskey(status.options));
    const step = passkeyStep(status, `${this.cli.client.address.origin}/passkey`, this.session.id);
    if (step.kind === "failed") throw cannot(step.why);
    if (step.kind === "tell") this.sayOnce(plain(step.text));
  }

  private async sendPasskey(credential: PasskeyCredential): Promise<void> {
    const { client } = this.cli;
    await client.request({ method: "POST", path: this.path("/passkey"), headers: { id: this.session.id }, body: { credential } }, isNamed);
  }

  private async givePassword(hint: string): Promise<void> {
    const { passwordFile } = this.options;
    this.passwords += 1;
    const password =
      passwordFile === undefined
        ? await readPassword(this.cli, `Two-step password${hint === "" ? "" : ` (hint: ${plain(hint)})`}: `)
        : readGivenFile("--password-file", passwordFile);
    try {
      await this.cli.client.request(
        { method: "POST", path: this.path("/password"), headers: { id: this.session.id }, body: { password }, timeoutMs: passwordMs },
        isNamed,
      );
    } catch (error) {
      // The platform limits the attempts, and a password file would be wrong again.
      const isWrong = error instanceof Refusal && error.status === 400 && passwordFile === undefined && this.passwords < passwordTries;
      if (!isWrong) throw error;
      this.cli.screen.say(error.sentence);
    }
  }

  private path(below: string): string {
    return `${this.cli.client.address.paths[this.session.platform]}/session${below}`;
  }
}
