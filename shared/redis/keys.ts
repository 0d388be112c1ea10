import type { CommandId, SessionId } from "../contract/ids.js";
import type { TenantName } from "../contract/tenant.js";
import { slotOf } from "../contract/slot.js";

/**
 * Every key and channel name of the project. Keys of one session carry the hash tag of its slot, keys of one member its name,
 * so that each Lua script touches one Redis Cluster slot only, but for those that read or take many slots' ownership at once.
 */
export const keys = {
  /** Set of member names ever seen. */
  members: "{members}:names",
  /** The same as 0.2.0 and before wrote it: what stands with it is of other forms. */
  formerMembers: "members",
  /** Hash of one member: inc, seq, st, w, addr, why, at; of the life before: finc, fwhy. */
  member: (name: string) => `member:{${part(name)}}`,
  /** Bytes of all members' last beats, and the hash of which place in them is whose. */
  memberBeats: "{members}:beats",
  memberPlaces: "{members}:places",
  /** Hash key id -> a text sealed with that key of `CRED_KEYS`, by which a process tells that it has the same one. */
  canaries: "keyring",
  /** Hash of what seals, and of how far a rotation has come (shard/cluster/keyring/rotation-record.ts). */
  rotation: "{keyring}:rotation",
  /** Sorted set of hours in which secrets left Redis that its append-only file still holds, and the hash of when that was rewritten: asked, rewritten, problem. */
  goneSecrets: "{keyring}:gone",
  aof: "{keyring}:aof",
  /** Hash of the schema that may be written: number. */
  schema: "{schema}",
  /** Hash of what the cluster knows of versions of the WhatsApp client, as their last numbers: found, foundAt, refused; of the look-up: asked, answered. */
  whatsappVersion: "{whatsapp}:version",
  /** When the restore began that is not at its end. */
  restoring: "{schema}:restoring",
  /** What this cluster is known by, to tell its cache from that of another. */
  clusterId: "{schema}:cluster",
  /** Hash name -> JSON of a tenant; hash id -> JSON of an api key; hash id -> when that key was used last; and what changes with each change of the first two. */
  tenants: "tenants:{directory}",
  apiKeys: "api-keys:{directory}",
  apiKeyUses: "api-key-uses:{directory}",
  directoryVersion: "directory-version:{directory}",
  /** Mark of a code by whose hash it is named, which signs in once. */
  signInCode: (hash: string) => `sign-in:{${part(hash)}}`,
  /** Hash name -> JSON of what shards keep (quotas, pace), of tenants with any of it; `@` is another after each change. Shards see no more of a tenant. */
  tenantQuotas: "tenant-quotas:{directory}",
  /** Hash name -> proxy of a tenant's sessions, sealed with a key of the ring; `@` of the key above is another after each change. */
  tenantProxies: "tenant-proxies:{directory}",
  keyProxies: "key-proxies:{directory}",
  /** Set of the session ids of a tenant, reserved ones too. Follows the records; where they differ, the records are right. */
  tenantSessions: (tenant: TenantName) => `tenant-sessions:{directory}:${part(tenant)}`,
  /** Hashes of a tenant's buckets of requests and of bytes of media: tokens, at. Count of its messages of a day of UTC. */
  tenantRequests: (tenant: TenantName) => `tenant-requests:{${part(tenant)}}`,
  tenantMediaBytes: (tenant: TenantName) => `tenant-media-bytes:{${part(tenant)}}`,
  /** Hash member -> places of a tenant that it holds, wants, and until when it counts; by quota. */
  tenantPlaces: (tenant: TenantName, quota: string) => `tenant-places:{${part(tenant)}}:${part(quota)}`,
  tenantMessages: (tenant: TenantName, day: string) => `tenant-messages:{${part(tenant)}}:${day}`,
  /** Hash of a tenant's bucket of moves: tokens, at. */
  tenantMoves: (tenant: TenantName) => `tenant-moves:{${part(tenant)}}`,
  /** Hash slot -> member that overrides the target map. */
  pins: "pins",
  /** Which data folder has a host's name now; ends with its supervisor. */
  hostClaim: (host: string) => `host:{${part(host)}}`,
  /** JSON of where the cluster's sandbox is, for hosts that have none of their own. */
  sandbox: "sandbox",
  /** Set of member names that get no slots until an operator says otherwise. */
  drained: "drained",
  /** Sorted set of processes by when they last told of themselves, and the hash of what they told. */
  processesSeen: "{processes}:seen",
  processReports: "{processes}:reports",
  /** Hash of a slot's ownership: m, inc, tok, st, addr, silent. */
  owner: (slot: number) => `owner:{${slot}}`,
  /** Set of the session ids of a slot. */
  slotSessions: (slot: number) => `slot-sessions:{${slot}}`,
  /** Sorted set of the session ids of a slot that are in the trash, by until when they are. */
  slotTrash: (slot: number) => `slot-trash:{${slot}}`,
  /** Hash of one session: platform, secretHash, created, tenant, tok, dk, wh, tenant, incarnation, stateMac, unreadable, undeleted (command that took it out of the trash); sealed: state, account, creds, summary, label, metadata, proxy. */
  session: (id: SessionId) => `session:{${slotOf(id)}}:${id}`,
  /** PNG of the current QR, base64, sealed; lives 60 s at most. */
  qr: (id: SessionId) => `qr:{${slotOf(id)}}:${id}`,
  /** Hash of a session's peers: hashed name -> sealed value. */
  peers: (id: SessionId) => `peers:{${slotOf(id)}}:${id}`,
  /** Hash of a session's secrets beside its credentials, such as Signal keys; each name hashed, each value sealed with the session's data key. */
  secrets: (id: SessionId) => `secrets:{${slotOf(id)}}:${id}`,
  /** Sealed content of one sent message, for retry receipts; lives 24 h. */
  sent: (id: SessionId, messageId: string) => `${keys.sentPrefix(id)}${part(messageId)}`,
  sentPrefix: (id: SessionId) => `sent:{${slotOf(id)}}:${id}:`,
  /** Sorted set of the message ids above by time, which bounds them. */
  sentIndex: (id: SessionId) => `sent-index:{${slotOf(id)}}:${id}`,
  /** Hash of a session's updates: cursor, sealed; of its webhook: on, epoch, onAt; of its outbox: bytes, and the oldest event's head, tries, retryAt. */
  webhook: (id: SessionId) => `webhook:{${slotOf(id)}}:${id}`,
  /** Hash of hashed message id -> sealed chat id, and what it was before it was full, which bounds it. */
  messageChats: (id: SessionId) => `message-chats:{${slotOf(id)}}:${id}`,
  olderChats: (id: SessionId) => `older-chats:{${slotOf(id)}}:${id}`,
  /** Sorted set of hashed event ids by the time at which they were taken in. */
  seenEvents: (id: SessionId) => `seen-events:{${slotOf(id)}}:${id}`,
  /** Stream of events to deliver, oldest first: i (id), t (type), c (created), e (epoch), b (sealed body). */
  outbox: (id: SessionId) => `outbox:{${slotOf(id)}}:${id}`,
  /** Stream of events that were given up: i, t, c, e, b as above, n (attempts), r (reason). */
  deadLetters: (id: SessionId) => `dead-letters:{${slotOf(id)}}:${id}`,
  /** Where a timer's deletion leaves a key of the session, for 24 h. */
  trash: (key: string) => `trash:${key}`,
  /** Begin/finish record of a command. */
  result: (slot: number, id: CommandId) => `result:{${slot}}:${id}`,
  /** Sorted set of the records above that stand for an `Idempotency-Key` of the session, by time, which bounds them. */
  idempotencyKeys: (id: SessionId) => `idempotency-keys:{${slotOf(id)}}:${id}`,
  /** Plan of a session that is created with an idempotency key, and the sorted set of such plans of one caller, by time, which bounds them. */
  creation: (caller: string, id: CommandId) => `creation:{${part(caller)}}:${id}`,
  creationKeys: (caller: string) => `creation-keys:{${part(caller)}}`,

  /** Command stream of a member, the group by which it is made, and the mark that an attempt was enqueued. */
  commands: (member: string) => `commands:{${part(member)}}`,
  commandGroup: "shard",
  enqueued: (member: string, id: CommandId, attempt: number) => `enqueued:{${part(member)}}:${id}:${attempt}`,
  /** Reply stream of one router process. */
  replies: (router: string) => `replies:{${part(router)}}`,
  /** What a process writes to see whether Redis takes writes; lives 10 s. */
  probe: (process: string) => `probe:{${part(process)}}`,
  /** What is written behind a write, for a replica to confirm both; on the server of that write's key. */
  replicaMark: (key: string) => `replica-mark:${/\{[^{}]+\}/.exec(key)?.[0] ?? ""}`,
  /** Envelopes that cannot be parsed or that keep killing their shard. */
  deadCommands: "dead-commands",
  /** Who did what: changes, and the reads and failures of callers, which may be many. */
  audit: "audit",
  auditReads: "{audit}:reads",
  /** What operators hear of as it happens; the marks that somebody listens, and that a state of a member was told of. */
  news: "{news}:stream",
  newsHeard: "{news}:heard",
  newsTold: (member: string, incarnation: string, state: string) => `{news}:told:${part(member)}:${part(incarnation)}:${part(state)}`,

  // Cache Redis
  /** Id of the cluster whose cache this is. */
  cacheOf: "cache-of",
  chunk: (fileKey: string, chunk: number) => `chunk:${part(fileKey)}:${chunk}`,
  /** `mac`: of session, account, and the message as the platform names it. */
  mediaDescription: (mac: string) => `media-description:${part(mac)}`,
  /** Output of a command that is too large for a reply stream, sealed. */
  bigReply: (id: CommandId) => `big-reply:${id}`,
} as const;

/** Pub/sub channels: nudges only, every reader also asks by itself, if later. */
export const channels = {
  /** A member joined, left or died. */
  members: "tl:members",
  /** A tenant or an api key was made, changed or removed; the message is the new version. */
  directory: "tl:directory",
  /** Slots changed hands, or their pins did; the message is their numbers, with commas between. */
  slots: "tl:slots",
  /** Messages were deleted on the platform: session, sequence, and the ids with commas between, with spaces between the three. */
  deletedMedia: "tl:media",
  /** Wrong keys and secrets that a router was sent: its name, and how many of each address and session, hashed. */
  wrongCredentials: "tl:auth",
} as const;

const safe = /^[A-Za-z0-9_@.:-]{1,200}$/;

/** What enters a key name from outside is a plain word. */
function part(text: string): string {
  if (!safe.test(text)) throw new Error("unsafe key part");
  return text;
}
