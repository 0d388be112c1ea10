import type { StoredNews } from "../../../shared/cluster/news.js";
import { isOf } from "../../tenant/judge.js";
import type { Principal } from "../../tenant/principal.js";

/** Reason for the end of a stream. */
export type EndReason = "read too slowly" | "api key is no longer valid" | "router stops";

/** What this caller hears of: an admin all, whoever belongs to a tenant what befalls its sessions. Pure. */
export function isVisible(principal: Principal, news: StoredNews): boolean {
  if (principal.role === "admin" || news.type === "missed") return true;
  return "tenant" in news && isOf(principal, { tenant: news.tenant, incarnation: news.incarnation, madeAt: news.at });
}

/** One event as server-sent events have it. `id` is what a client that comes back names in `Last-Event-ID`. */
export function newsFrame(id: string, { type, incarnation: _, ...data }: StoredNews): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Where a stream begins. No event: only the position is taken over, and how long to wait before coming back. */
export function openingFrame(id: string, retryMs: number): string {
  return `retry: ${retryMs}\nid: ${id}\n\n`;
}

/** Keeps proxies from closing a quiet stream, and its position from growing old. */
export function heartbeatFrame(id: string): string {
  return `: heartbeat\nid: ${id}\n\n`;
}

/** The last one: its client has all up to the id before. */
export function endFrame(reason: EndReason): string {
  return `event: end\ndata: ${JSON.stringify({ reason })}\n\n`;
}
