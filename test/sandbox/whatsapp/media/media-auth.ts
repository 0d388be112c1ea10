import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Upload tokens of accounts. They are valid until the control API expires them. */
export class MediaAuth {
  private readonly secret = randomBytes(16);
  private readonly epochs = new Map<string, number>();

  token(account: string): string {
    return `${Buffer.from(account).toString("base64url")}.${this.sign(account).toString("base64url")}`;
  }

  /** Returns the account of a valid token. */
  accountOf(token: string): string | undefined {
    const [name = "", signature = ""] = token.split(".");
    const account = Buffer.from(name, "base64url").toString();
    const given = Buffer.from(signature, "base64url");
    const expected = this.sign(account);
    return given.length === expected.length && timingSafeEqual(given, expected) ? account : undefined;
  }

  expire(account: string): void {
    this.epochs.set(account, (this.epochs.get(account) ?? 0) + 1);
  }

  private sign(account: string): Buffer {
    return createHmac("sha256", this.secret)
      .update(`${this.epochs.get(account) ?? 0} ${account}`)
      .digest();
  }
}
