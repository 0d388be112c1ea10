import { createHmac } from "node:crypto";
import typia from "typia";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import type { CredentialStore } from "../session/session-context.js";
import type { Log } from "../../shared/log/logger.js";
import type { DcAddress } from "./network/open-sender.js";

/**
 * How far the login of the home key has come. `shown`: codes are shown under it, and whoever scans one logs this key in, although its connection, or its
 * owner, is gone by then. A key without even that is not stored: a restart makes a new one.
 */
export type AuthStage = "none" | "shown" | "password" | "authorized";

interface StoredAuth {
  v: 1;
  stage: Exclude<AuthStage, "none">;
  home: { dcId: number; address: string };
  /** Authorisation keys by data centre, base64. */
  keys: Record<string, string>;
}

/**
 * What makes this process the account's device: its home data centre and one key per data centre, as the encrypted credentials of the session.
 * Keys of other data centres are written behind; the login itself is written with `enter`, before anybody is told of it.
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

  /** An account has accepted the home key. */
  get hasLogin(): boolean {
    return this.loginStage === "password" || this.loginStage === "authorized";
  }

  /** Rejects like the store. */
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

  /** What a text that must not be stored in the clear is stored by. Another login makes others. */
  fingerprint(text: string): string {
    const hash = createHmac("sha256", this.keys.get(this.homeDc.dcId) ?? "");
    return hash.update(text).digest("base64url").slice(0, 22);
  }

  /** A key was agreed on, or (`undefined`) is no longer accepted. */
  setKey(dcId: number, key: Buffer | undefined): void {
    if (key === undefined) this.keys.delete(dcId);
    else this.keys.set(dcId, key);
    if (this.loginStage === "authorized") this.writeBehind();
  }

  /** The account lives elsewhere: keys of this data centre say nothing there. */
  moveHome(dc: DcAddress): void {
    this.keys.clear();
    this.homeDc = dc;
  }

  /** Durable before it resolves. */
  async enter(stage: Exclude<AuthStage, "none">): Promise<void> {
    this.loginStage = stage;
    await this.write();
  }

  /** A fresh device: the next connection agrees on a new key. Durable before it resolves. */
  async forget(): Promise<void> {
    this.keys.clear();
    this.homeDc = this.startDc;
    this.loginStage = "none";
    await this.idle();
    await this.credentials.clear();
  }

  /** Keys that no login came of. The home data centre stays, where a login may be about to finish. */
  dropUnusedKeys(): void {
    this.keys.clear();
    this.loginStage = "none";
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.writing.idle();
  }

  private async write(): Promise<void> {
    await this.writing.run(async () => {
      // What stands here when its turn comes is the newest, whoever asked.
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
