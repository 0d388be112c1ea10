import { randomBytes } from "node:crypto";
import { RpcFault, type AuthKey } from "../rpc.js";

interface Token {
  readonly key: AuthKey | undefined;
  /** Set for the second token of a migration: the account that scanned the first one. */
  readonly account: string | undefined;
  readonly expiresAt: number;
}

const tokenLifeMs = 30_000;
const maxTokens = 50_000;

/** Login tokens of QR codes: 32 random bytes, valid for 30 seconds and one scan. */
export class LoginTokens {
  private readonly tokens = new Map<string, Token>();

  /** Creates a token for the QR code of an unauthorised key. `expiresAt` is in milliseconds. */
  issue(key: AuthKey): { token: Buffer; expiresAt: number } {
    return this.add(key, undefined);
  }

  /** Creates a token that completes the login at the account's own data centre. */
  issueMigration(account: string): Buffer {
    return this.add(undefined, account).token;
  }

  /** Returns the key that shows this token, or "expired" if the token is too old or used. */
  scan(token: Buffer): AuthKey | "expired" {
    const name = token.toString("hex");
    const found = this.tokens.get(name);
    this.tokens.delete(name);
    if (found?.key === undefined || found.expiresAt <= Date.now()) return "expired";
    return found.key;
  }

  redeemMigration(token: Buffer): string {
    const name = token.toString("hex");
    const found = this.tokens.get(name);
    if (found?.account === undefined) throw new RpcFault(400, "AUTH_TOKEN_INVALID");
    this.tokens.delete(name);
    if (found.expiresAt <= Date.now()) throw new RpcFault(400, "AUTH_TOKEN_EXPIRED");
    return found.account;
  }

  private add(key: AuthKey | undefined, account: string | undefined): { token: Buffer; expiresAt: number } {
    const now = Date.now();
    // The oldest tokens come first, so the loop stops at the first valid one.
    for (const [name, { expiresAt }] of this.tokens) {
      if (expiresAt > now && this.tokens.size < maxTokens) break;
      this.tokens.delete(name);
    }
    const token = randomBytes(32);
    const expiresAt = now + tokenLifeMs;
    this.tokens.set(token.toString("hex"), { key, account, expiresAt });
    return { token, expiresAt };
  }
}
