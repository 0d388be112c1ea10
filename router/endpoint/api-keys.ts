import { createHash, timingSafeEqual } from "node:crypto";
import { parseApiKeys, type ApiKeyRole, type GivenApiKey } from "../../shared/config/api-key-list.js";

export type { ApiKeyRole };

/** The keys of `x-api-key`, kept as hashes. `admin` may do everything that `create` may. */
export class ApiKeys {
  private constructor(private readonly entries: readonly { readonly role: ApiKeyRole; readonly hash: Buffer }[]) {}

  static of(keys: readonly GivenApiKey[]): ApiKeys {
    return new ApiKeys(keys.map(({ role, key }) => ({ role, hash: sha256(key) })));
  }

  /** See `parseApiKeys`. */
  static parse(text: string): ApiKeys {
    return ApiKeys.of(parseApiKeys(text));
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

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
