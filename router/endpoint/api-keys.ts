import { createHash, timingSafeEqual } from "node:crypto";

export const apiKeyRoles = ["create", "admin"] as const;
export type ApiKeyRole = (typeof apiKeyRoles)[number];

/**
 * The keys of `x-api-key`, kept as hashes. Text form: `<role>:<key>` or just `<key>` (role `create`), comma-separated.
 * `admin` may do everything that `create` may.
 */
export class ApiKeys {
  private constructor(private readonly entries: readonly { readonly role: ApiKeyRole; readonly hash: Buffer }[]) {}

  /** An empty text is no keys at all; an empty entry is a mistake. Throws a sentence without a key. */
  static parse(text: string): ApiKeys {
    if (text === "") return new ApiKeys([]);
    return new ApiKeys(text.split(",").map((entry) => parseEntry(entry.trim())));
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
    const key = entry.slice(role.length + 1);
    if (entry === role || entry === `${role}:`) throw new Error("must be a list of role:key without empty keys");
    if (entry.startsWith(`${role}:`)) return { role, hash: sha256(key) };
  }
  if (entry === "") throw new Error("must be a list of role:key without empty keys");
  return { role: "create", hash: sha256(entry) };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
