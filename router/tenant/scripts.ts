import { script } from "../../shared/redis/script.js";
import { integer, list, text, tuple, literal } from "../../shared/redis/script-reply.js";

const lua = (name: string): URL => new URL(`./scripts/${name}.lua`, import.meta.url);

/** Names alternate with JSON or sealed texts. */
type Rows = string[];

export const readDirectory = script<
  [version: string, tenants: string, keys: string, keyProxies: string],
  [],
  [version: string, tenants: Rows, keys: Rows, keyProxies: Rows]
>(lua("read-directory"), tuple(text, list(text), list(text), list(text)));

export const createTenant = script<
  [version: string, tenants: string, quotas: string, proxies: string],
  [newVersion: string, channel: string, name: string, record: string, kept: string, most: number, sealedProxy: string],
  "DONE" | "EXISTS" | "FULL"
>(lua("create-tenant"), literal("DONE", "EXISTS", "FULL"));

export const changeTenant = script<
  [version: string, tenants: string, quotas: string, proxies: string],
  [newVersion: string, channel: string, name: string, before: string, after: string, kept: string, sealedProxy: string],
  "DONE" | "CHANGED" | "GONE"
>(lua("change-tenant"), literal("DONE", "CHANGED", "GONE"));

export const deleteTenant = script<
  [version: string, tenants: string, keys: string, uses: string, sessions: string, quotas: string, proxies: string, keyProxies: string],
  [newVersion: string, channel: string, name: string],
  "DONE" | "SESSIONS" | "GONE"
>(lua("delete-tenant"), literal("DONE", "SESSIONS", "GONE"));

export const createKey = script<
  [version: string, tenants: string, keys: string, keyProxies: string],
  [newVersion: string, channel: string, tenant: string, id: string, record: string, most: number, sealedProxy: string],
  "DONE" | "NOTENANT" | "FULL"
>(lua("create-key"), literal("DONE", "NOTENANT", "FULL"));

export const changeKeyProxy = script<
  [version: string, keys: string, keyProxies: string],
  [newVersion: string, channel: string, id: string, sealedProxy: string],
  "DONE" | "GONE"
>(lua("change-key-proxy"), literal("DONE", "GONE"));

export const deleteKey = script<
  [version: string, keys: string, uses: string, keyProxies: string],
  [newVersion: string, channel: string, id: string],
  "DONE" | "GONE"
>(lua("delete-key"), literal("DONE", "GONE"));

export const touchKeys = script<[keys: string, uses: string], string[], number>(lua("touch-keys"), integer);

export const reserveSession = script<
  [tenants: string, sessions: string],
  [tenant: string, session: string, incarnation: string],
  "DONE" | "NOTENANT" | "FULL"
>(lua("reserve-session"), literal("DONE", "NOTENANT", "FULL"));

export const eraseTrash = script<[slotTrash: string, record: string], [id: string, tenant: string], 0 | 1>(
  lua("erase-trash"),
  literal(0, 1),
);

export const takeTokens = script<
  [bucket: string],
  [tokensPerSecond: number, capacity: number, wanted: number],
  [given: number, left: number, waitMs: number]
>(lua("take-tokens"), tuple(integer, integer, integer));

export const countMessage = script<[count: string], [most: number, lifetimeMs: number, messages: number], 0 | 1>(
  lua("count-message"),
  literal(0, 1),
);
