import type { TenantLife } from "../../shared/contract/tenant.js";

export const keyRoles = ["admin", "tenant", "create", "read"] as const;
export type KeyRole = (typeof keyRoles)[number];

/** The caller that an API key represents. `admin` belongs to no tenant. `keyId` is not secret; audit entries name it. */
export type Principal = KeyTraits & ({ readonly role: "admin" } | ({ readonly role: Exclude<KeyRole, "admin"> } & TenantLife));

interface KeyTraits {
  readonly keyId: string;
  /** Sealed proxy of sessions that the key creates (`keyProxyContext`); absent without one. */
  readonly sealedProxy?: string;
}

/** A caller on this machine while no key is configured. */
export const localPrincipal: Principal = { keyId: "local", role: "admin" };

/** Finds callers by their keys. */
export interface KeyPort {
  /** True if no key is configured, so that callers of this machine need none. */
  readonly isOpen: boolean;
  /** True if there are several tenants, which must not take each other's share. */
  readonly isShared: boolean;
  /** Returns `undefined` for an unknown key. Throws 503 while keys cannot be known. */
  find(key: string): Principal | undefined;
  /** Returns true if an unknown key may have been created elsewhere a moment ago. `learn` then finds it. */
  mayBeNew(key: string): boolean;
  /** Resolves after a refresh of all keys that began after this call. Never rejects. */
  learn(): Promise<void>;
}
