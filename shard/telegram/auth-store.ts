import { createHmac } from "node:crypto";
import typia from "typia";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import type { CredentialStore } from "../session/session-context.js";
import type { Log } from "../../shared/log/logger.js";
import type { DcAddress } from "./network/open-sender.js";

/**
 * Login stage of the home key. At `shown`, a phone may accept the key even after its connection or owner is gone. Keys at `none` are not
 * stored: a restart makes a new one.
 */
export type AuthStage = "none" | "shown" | "password" | "authorized";

interface StoredAuth {
  v: 1;
  stage: Exclude<AuthStage, "none">;
  home: { dcId: number; address: string };
  /** Authorization keys by data centre, in base64. */
  keys: Record<string, string>;
}

/**
 * The encrypted credentials that make this process a device of the account: the home data centre and one key for each data centre. `enter`
 * stores the login before any caller learns of it; keys of other data centres are written later.
 */
export class AuthStore {
  private homeDc: DcAddress;
  private loginStage: AuthStage = "none";
  private readonly keys = new Map<number, Buffer>();
  private readonly writing = new SerialQueue();

  constructor(
    private readonly credentials: CredentialStore,
    private readonly startDc: DcAddress,
    private readonly log: Log,
  ) {
    this.homeDc = startDc;
  }

  get home(): DcAddress {
    return this.homeDc;
  }

  get stage(): AuthStage {
    return this.loginStage;
  }

  /** True when an account has accepted the home key. */
  get hasLogin(): boolean {
    return this.loginStage === "password" || this.loginStage === "authorized";
  }

  /** Loads the stored keys. Rejects when the store fails. */
  async load(): Promise<void> {
    const stored = await this.credentials.read(parseAuth);
    if (stored === undefined) return;
    this.homeDc = stored.home;
    this.loginStage = stored.stage;
    for (const [dcId, key] of Object.entries(stored.keys)) this.keys.set(Number(dcId), Buffer.from(key, "base64"));
  }

  key(dcId: number): Buffer | undefined {
    return this.keys.get(dcId);
  }

  /** Returns a keyed hash for text that must not be stored in the clear. It changes with each login. */
  fingerprint(text: string): string {
    const hash = createHmac("sha256", this.keys.get(this.homeDc.dcId) ?? "");
    return hash.update(text).digest("base64url").slice(0, 22);
  }

  /** Stores the key of a data centre; `undefined` removes a key that the data centre no longer accepts. */
  setKey(dcId: number, key: Buffer | undefined): void {
    if (key === undefined) this.keys.delete(dcId);
    else this.keys.set(dcId, key);
    if (this.loginStage === "authorized") this.writeBehind();
  }

  /** Moves to the account's own data centre and drops all keys, because the new home data centre accepts none of them. */
  moveHome(dc: DcAddress): void {
    this.keys.clear();
    this.homeDc = dc;
  }

  /** Stores the new login stage durably before it resolves. */
  async enter(stage: Exclude<AuthStage, "none">): Promise<void> {
    this.loginStage = stage;
    await this.write();
  }

  /** Drops the login, so that the next connection makes a new key. Resolves once this is stored. */
  async forget(): Promise<void> {
    this.keys.clear();
    this.homeDc = this.startDc;
    this.loginStage = "none";
    await this.idle();
    await this.credentials.clear();
  }

  /** Drops keys without a login. Keeps the home data centre, because a login may be about to finish there. */
  dropUnusedKeys(): void {
    this.keys.clear();
    this.loginStage = "none";
  }

  /** Resolves when no write is in flight. */
  async idle(): Promise<void> {
    await this.writing.idle();
  }

  private async write(): Promise<void> {
    await this.writing.run(async () => {
      // Each queued write stores the newest state, whichever caller requested it.
      if (this.loginStage === "none") return;
      const keys = Object.fromEntries([...this.keys].map(([dcId, key]) => [String(dcId), key.toString("base64")]));
      const stored: StoredAuth = { v: 1, stage: this.loginStage, home: { dcId: this.homeDc.dcId, address: this.homeDc.address }, keys };
      await this.credentials.write(Buffer.from(JSON.stringify(stored)));
    });
  }

  private writeBehind(): void {
    this.write().catch((error: unknown) => this.log.warn({ err: error }, "data centre key not stored"));
  }
}

const isStoredAuth = typia.createIs<StoredAuth>();

function parseAuth(bytes: Buffer): StoredAuth | undefined {
  try {
    const parsed: unknown = JSON.parse(bytes.toString("utf8"));
    return isStoredAuth(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
