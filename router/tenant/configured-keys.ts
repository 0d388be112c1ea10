import { timingSafeEqual } from "node:crypto";
import { parseApiKeys, type GivenApiKey } from "../../shared/config/api-key-list.js";
import { defaultTenant } from "../../shared/contract/tenant.js";
import { hashOfKey } from "./api-key.js";
import type { KeyPort, Principal } from "./principal.js";

/** The initial keys of a deployment from `API_KEYS`, kept as hashes. An entry `create` belongs to the tenant `default`. */
export class ConfiguredKeys implements Pick<KeyPort, "isOpen" | "find"> {
  private constructor(private readonly entries: readonly { readonly principal: Principal; readonly hash: Buffer }[]) {}

  static of(keys: readonly GivenApiKey[]): ConfiguredKeys {
    return new ConfiguredKeys(
      keys.map(({ role, key }, index) => {
        const keyId = `configured-${index + 1}`;
        return {
          principal: role === "admin" ? { keyId, role } : { keyId, role, tenant: defaultTenant, incarnation: "" },
          hash: hashOfKey(key),
        };
      }),
    );
  }

  /** See `parseApiKeys`. */
  static parse(text: string): ConfiguredKeys {
    return ConfiguredKeys.of(parseApiKeys(text));
  }

  get isOpen(): boolean {
    return this.entries.length === 0;
  }

  has(keyId: string): boolean {
    return this.entries.some(({ principal }) => principal.keyId === keyId);
  }

  /** Compares with every key, so that timing reveals nothing. A key that is listed twice has the greater role. */
  find(key: string): Principal | undefined {
    const given = hashOfKey(key);
    let found: Principal | undefined;
    for (const { principal, hash } of this.entries) if (timingSafeEqual(hash, given) && found?.role !== "admin") found = principal;
    return found;
  }
}
