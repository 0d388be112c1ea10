import type { StoredLiveEvent } from "../../../shared/cluster/live-events.js";
import { isOf } from "../../tenant/judge.js";
import type { Principal } from "../../tenant/principal.js";

/** Reason for the end of a stream. */
export type EndReason = "read too slowly" | "api key is no longer valid" | "router stops";

/** Returns whether the caller may see an event: admins see all, others only events of their tenant's sessions. Pure. */
export function isVisible(principal: Principal, event: StoredLiveEvent): boolean {
  if (principal.role === "admin" || event.type === "missed") return true;
  return "tenant" in event && isOf(principal, { tenant: event.tenant, incarnation: event.incarnation, madeAt: event.at });
}

/** Formats one server-sent event. A client that reconnects sends `id` in `Last-Event-ID`. */
export function eventFrame(id: string, { type, incarnation: _, ...data }: StoredLiveEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Opens a stream without an event: it only sets the client's position and its delay before a reconnect. */
export function openingFrame(id: string, retryMs: number): string {
  return `retry: ${retryMs}\nid: ${id}\n\n`;
}

/** Keeps proxies from closing a quiet stream, and keeps the client's position recent. */
export function heartbeatFrame(id: string): string {
  return `: heartbeat\nid: ${id}\n\n`;
}

/** Formats the last event. The client has all events up to the last id. */
export function endFrame(reason: EndReason): string {
  return `event: end\ndata: ${JSON.stringify({ reason })}\n\n`;
}
