import { createHash, timingSafeEqual } from "node:crypto";

export const apiKeyRoles = ["create", "admin"] as const;
export type ApiKeyRole = (typeof apiKeyRoles)[number];

/**
 * The keys of `x-api-key`, kept as hashes. Text form: `<role>:<key>` or just `<key>` (role `create`), comma-separated.
 * `admin` may do everything that `create` may.
 */
export class ApiKeys {
  private constructor(private readonly entries: readonly { readonly role: ApiKeyRole; readonly hash: Buffer }[]) {}

  static parse(text: string): ApiKeys {
    const entries = text
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
    return new ApiKeys(entries.map(parseEntry));
  }

  /** True when no key is configured. */
  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** Compares with every key, so that the time does not tell which one came close. */
  allows(key: string, role: ApiKeyRole): boolean {
    const given = sha256(key);
    let allowed = false;
    for (const entry of this.entries) {
      const equal = timingSafeEqual(entry.hash, given);
      if (equal && (entry.role === role || entry.role === "admin")) allowed = true;
    }
    return allowed;
  }
}

function parseEntry(entry: string): { role: ApiKeyRole; hash: Buffer } {
  for (const role of apiKeyRoles) {
    if (entry.startsWith(`${role}:`) && entry.length > role.length + 1) return { role, hash: sha256(entry.slice(role.length + 1)) };
  }
  return { role: "create", hash: sha256(entry) };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
