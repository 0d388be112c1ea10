import type { TenantLife } from "../../shared/contract/tenant.js";

export const keyRoles = ["admin", "tenant", "create", "read"] as const;
export type KeyRole = (typeof keyRoles)[number];

/** Whom an api key stands for. `admin` belongs to no tenant. `keyId` is no secret: it says in records who did something. */
export type Principal = KeyTraits & ({ readonly role: "admin" } | ({ readonly role: Exclude<KeyRole, "admin"> } & TenantLife));

interface KeyTraits {
  readonly keyId: string;
  /** What the sessions that it creates go through, sealed (`keyProxyContext`); absent without one. */
  readonly sealedProxy?: string;
}

/** A caller on this machine, where no key is configured. */
export const localPrincipal: Principal = { keyId: "local", role: "admin" };

/** What keys say of their callers. */
export interface KeyPort {
  /** No key is configured: callers of this machine need none. */
  readonly isOpen: boolean;
  /** There are several tenants, so that one may stand in another's way. */
  readonly isShared: boolean;
  /** `undefined` for a key that nobody has. Throws 503 while that cannot be known. */
  find(key: string): Principal | undefined;
  /** Of a key that `find` does not know: true when it may have been made elsewhere a moment ago, which `learn` finds out. */
  mayBeNew(key: string): boolean;
  /** Resolves when a look at all keys that began after this call has ended. Never rejects. */
  learn(): Promise<void>;
}
