import type { Platform } from "../../../shared/contract/platform.js";
import { defaultTenant } from "../../../shared/contract/tenant.js";
import { isCaller, isSessionPage, type SessionRow } from "../gateway/responses.js";
import { only } from "../gateway/find-session.js";
import type { GatewayClient } from "../gateway/gateway-client.js";
import { everyRow } from "../gateway/pages.js";
import { Refusal } from "../gateway/refusal.js";

/** Returns the session with this label in the tenant of the caller's key. A logged-in session wins over sessions that wait for a login. */
export async function labelledSession(client: GatewayClient, platform: Platform, label: string): Promise<SessionRow | undefined> {
  const found = await sessionsWith(client, platform, label);
  const loggedIn = found.filter(isLoggedIn);
  const candidates = loggedIn.length > 0 ? loggedIn : found;
  return candidates.length === 0 ? undefined : only(label, candidates);
}

export function isLoggedIn({ state }: SessionRow): boolean {
  return state === "connected" || state === "disconnected";
}

async function sessionsWith(client: GatewayClient, platform: Platform, label: string): Promise<SessionRow[]> {
  try {
    const { tenant } = await client.request({ path: "/admin/self" }, isCaller);
    const query = { platform, label, tenant: tenant ?? defaultTenant };
    return await everyRow(client, { path: "/admin/sessions", query }, isSessionPage);
  } catch (error) {
    // A key of the role `create` may not list sessions.
    if (error instanceof Refusal && error.status === 403) return [];
    throw error;
  }
}
