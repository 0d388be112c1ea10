import type { SessionId } from "../../../shared/contract/ids.js";
import { keys } from "../../../shared/redis/keys.js";

/** Keys that a backup holds per session, besides those in its indexes. A session deleted by a timer has the same names in the trash. */
export const perSession = {
  session: keys.session,
  peers: keys.peers,
  secrets: keys.secrets,
  sentIndex: keys.sentIndex,
  webhook: keys.webhook,
  messageChats: keys.messageChats,
  olderChats: keys.olderChats,
  seenEvents: keys.seenEvents,
  outbox: keys.outbox,
  deadLetters: keys.deadLetters,
  history: keys.history,
  idempotencyKeys: keys.idempotencyKeys,
} as const;

export const perSlot = { slotSessions: keys.slotSessions, slotTrash: keys.slotTrash } as const;

export const perTenant = { tenantSessions: keys.tenantSessions } as const;

/** Settings and the audit log. */
export const once = {
  canaries: keys.canaries,
  rotation: keys.rotation,
  schema: keys.schema,
  clusterId: keys.clusterId,
  tenants: keys.tenants,
  apiKeys: keys.apiKeys,
  apiKeyUses: keys.apiKeyUses,
  directoryVersion: keys.directoryVersion,
  tenantQuotas: keys.tenantQuotas,
  tenantProxies: keys.tenantProxies,
  keyProxies: keys.keyProxies,
  pins: keys.pins,
  drained: keys.drained,
  audit: keys.audit,
  auditReads: keys.auditReads,
} as const;

/** Keys listed in an index of their session: recent messages, for devices that request them again, and results by idempotency key. */
export const indexed = ["sent", "sentPrefix", "result"] as const;

/** Keys that are temporary or specific to this Redis. A restored cluster creates them again. */
export const leftOut = {
  members: "who runs now",
  formerMembers: "of a former program",
  member: "who runs now",
  memberBeats: "who runs now",
  memberPlaces: "who runs now",
  hostClaim: "who runs now",
  sandbox: "told anew by the host that runs it",
  processesSeen: "who runs now",
  processReports: "who runs now",
  owner: "a token is never smaller than the time, so those of a restored cluster are larger",
  qr: "lives a minute",
  probe: "lives 10 s",
  replicaMark: "lives a second",
  signInCode: "signs in once, within minutes",
  goneSecrets: "of this Redis' own file",
  restoring: "of this Redis: what it holds is not whole",
  aof: "of this Redis' own file",
  whatsappVersion: "looked up again",
  tenantRequests: "full again in a moment",
  tenantMediaBytes: "full again in a moment",
  tenantPlaces: "of running processes",
  tenantMessages: "of a day: a restored tenant's day begins anew",
  tenantMoves: "full again in an hour",
  creation: "a repeat of a create of the last day",
  creationKeys: "a repeat of a create of the last day",
  commands: "on its way",
  commandGroup: "no key",
  enqueued: "on its way",
  replies: "on its way",
  deadCommands: "on its way",
  liveEvents: "what happens now",
  memberEventMark: "what happens now",
  liveEventListener: "what happens now",
  trash: "where what a timer deleted lies, under the names of its session",
  cacheOf: "of the cache",
  chunk: "of the cache",
  mediaDescription: "of the cache",
  bigReply: "of the cache",
} as const;

/** Returns the keys of a session whose names follow from its id. */
export function keysOfSession(id: SessionId): string[] {
  return Object.values(perSession).map((key) => key(id));
}

/** Returns the same keys for a session that a timer deleted. */
export function keysOfTrash(id: SessionId): string[] {
  return keysOfSession(id).map((key) => keys.trash(key));
}
