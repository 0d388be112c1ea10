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
  /** Hash key id -> a text sealed with that key of `CRED_KEYS`, by which a process proves that it has the same key. */
  canaries: "keyring",
  /** Hash of what seals, and of how far a rotation has come (shard/cluster/keyring/rotation-record.ts). */
  rotation: "{keyring}:rotation",
  /** Sorted set of hours in which secrets left Redis that its append-only file still holds, and the state of its rewrites. */
  goneSecrets: "{keyring}:gone",
  aof: "{keyring}:aof",
  /** Hash of the schema that may be written: number. */
  schema: "{schema}",
  /** Hash of the known versions of the WhatsApp client: latest found, time, refused ones, and the state of the version check. */
  whatsappVersion: "{whatsapp}:version",
  /** When the restore began that is not at its end. */
  restoring: "{schema}:restoring",
  /** Id of this cluster, which distinguishes its cache from others. */
  clusterId: "{schema}:cluster",
  /** Hash name -> JSON of a tenant; hash id -> JSON of an API key; hash id -> last use of the key; version of the first two. */
  tenants: "tenants:{directory}",
  apiKeys: "api-keys:{directory}",
  apiKeyUses: "api-key-uses:{directory}",
  directoryVersion: "directory-version:{directory}",
  /** Mark of a code by whose hash it is named, which signs in once. */
  signInCode: (hash: string) => `sign-in:{${part(hash)}}`,
  /** Hash name -> JSON of the quotas and pace that shards keep; `@` changes with each change. */
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
  /** Sorted set of processes by the time of their last report, and the hash of the reports. */
  processesSeen: "{processes}:seen",
  processReports: "{processes}:reports",
  /** Hash of a slot's ownership: m, inc, tok, st, addr, silent. */
  owner: (slot: number) => `owner:{${slot}}`,
  /** Set of the session ids of a slot. */
  slotSessions: (slot: number) => `slot-sessions:{${slot}}`,
  /** Sorted set of the session ids of a slot that are in the trash, by until when they are. */
  slotTrash: (slot: number) => `slot-trash:{${slot}}`,
  /**
   * Hash of one session: plain fields such as platform, secretHash, tenant, tok and dk, and sealed ones such as state, account, creds,
   * summary, label, metadata and proxy.
   */
  session: (id: SessionId) => `session:{${slotOf(id)}}:${id}`,
  /** PNG of the current QR, base64, sealed; lives 60 s at most. */
  qr: (id: SessionId) => `qr:{${slotOf(id)}}:${id}`,
  /** Hash of a session's peers: hashed name -> sealed value. */
  peers: (id: SessionId) => `peers:{${slotOf(id)}}:${id}`,
  /** Hash of a session's further secrets, such as Signal keys. Names are hashed, and values are sealed with the session's data key. */
  secrets: (id: SessionId) => `secrets:{${slotOf(id)}}:${id}`,
  /** Sealed content of one sent message, for retry receipts; lives 24 h. */
  sent: (id: SessionId, messageId: string) => `${keys.sentPrefix(id)}${part(messageId)}`,
  sentPrefix: (id: SessionId) => `sent:{${slotOf(id)}}:${id}:`,
  /** Sorted set of the message ids above by time, which bounds them. */
  sentIndex: (id: SessionId) => `sent-index:{${slotOf(id)}}:${id}`,
  /**
   * Hash of a session's updates (cursor, sealed), its webhook (on, epoch, onAt), and its outbox (bytes, and the oldest event's head,
   * tries, retryAt).
   */
  webhook: (id: SessionId) => `webhook:{${slotOf(id)}}:${id}`,
  /** Hash of hashed message id -> sealed chat id, and what it was before it was full, which bounds it. */
  messageChats: (id: SessionId) => `message-chats:{${slotOf(id)}}:${id}`,
  olderChats: (id: SessionId) => `older-chats:{${slotOf(id)}}:${id}`,
  /** Sorted set of hashed event ids by the time at which they were taken in. */
  seenEvents: (id: SessionId) => `seen-events:{${slotOf(id)}}:${id}`,
  /** Stream of events to deliver, oldest first: i (id), t (type), c (created), e (epoch), b (sealed body). */
  outbox: (id: SessionId) => `outbox:{${slotOf(id)}}:${id}`,
  /** Stream of events whose delivery failed for good: i, t, c, e, b as above, n (attempts), r (reason). */
  deadLetters: (id: SessionId) => `dead-letters:{${slotOf(id)}}:${id}`,
  /** Stream of the session's newest messages and their changes, oldest first: b (sealed entry). */
  history: (id: SessionId) => `history:{${slotOf(id)}}:${id}`,
  /** Where a timer's deletion leaves a key of the session, for 24 h. */
  trash: (key: string) => `trash:${key}`,
  /** Begin/finish record of a command. */
  result: (slot: number, id: CommandId) => `result:{${slot}}:${id}`,
  /** Sorted set of the records above that stand for an `Idempotency-Key` of the session, by time, which bounds them. */
  idempotencyKeys: (id: SessionId) => `idempotency-keys:{${slotOf(id)}}:${id}`,
  /** Plan of a session created with an idempotency key, and the sorted set of one caller's plans by time, which limits them. */
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
  /** Written after a write, so that a replica confirms both. It lies on the server of that write's key. */
  replicaMark: (key: string) => `replica-mark:${/\{[^{}]+\}/.exec(key)?.[0] ?? ""}`,
  /** Envelopes that cannot be parsed or that keep killing their shard. */
  deadCommands: "dead-commands",
  /** Audit entries: changes, and separately the reads and failures of callers, which may be many. */
  audit: "audit",
  auditReads: "{audit}:reads",
  /** Events for operators, the listener marker, and the marks of published member states. */
  liveEvents: "{news}:stream",
  liveEventListener: "{news}:heard",
  memberEventMark: (member: string, incarnation: string, state: string) =>
    `{news}:told:${part(member)}:${part(incarnation)}:${part(state)}`,

  // Cache Redis
  /** Id of the cluster whose cache this is. */
  cacheOf: "cache-of",
  chunk: (fileKey: string, chunk: number) => `chunk:${part(fileKey)}:${chunk}`,
  /** `mac`: of session, account, and the message as the platform names it. */
  mediaDescription: (mac: string) => `media-description:${part(mac)}`,
  /** Output of a command that is too large for a reply stream, sealed. */
  bigReply: (id: CommandId) => `big-reply:${id}`,
} as const;

/** Pub/sub channels. They only speed things up: every reader also polls. */
export const channels = {
  /** A member joined, left or died. */
  members: "tl:members",
  /** A tenant or an api key was made, changed or removed; the message is the new version. */
  directory: "tl:directory",
  /** Slots changed hands, or their pins did; the message is their numbers, with commas between. */
  slots: "tl:slots",
  /** Messages were deleted on the platform: session, sequence, and the ids with commas between, with spaces between the three. */
  deletedMedia: "tl:media",
  /** Messages were edited, and may have other files; the message is as for deletions. */
  editedMedia: "tl:media-edits",
  /** Wrong keys and secrets that a router was sent: its name, and how many of each address and session, hashed. */
  wrongCredentials: "tl:auth",
} as const;

const safe = /^[A-Za-z0-9_@.:-]{1,200}$/;

/** Returns true for a text that can be a part of a key. */
export const isKeyPart = (text: string): boolean => safe.test(text);

/** Rejects a text from outside that is not a plain word. */
function part(text: string): string {
  if (!isKeyPart(text)) throw new Error("unsafe key part");
  return text;
}
