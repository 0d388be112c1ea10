import { routerErrors } from "../errors/router-errors.js";
import { sharedErrors } from "../errors/shared-errors.js";
import type { CallTexts } from "../call-text.js";
import type { Bodies, Parameters, Replies } from "./types.js";

const id = "6b01aa5342b4f53c9f4c7e33";
const path = { id } as const;
const session = {
  id,
  tenant: "default",
  platform: "telegram",
  state: "connected",
  since: "2026-11-21T14:27:39.000Z",
  member: "shard-1",
  slot: 2741,
  name: "Alice",
  phone: "15550100001",
  label: "till 7",
  lastError: "",
  webhookLag: 0,
} as const;
const shard = {
  name: "shard-1",
  role: "shard",
  state: "active",
  drained: false,
  host: "gateway-a",
  version: "0.2.0",
  slots: 1366,
  sessions: 412,
  loopLagMs: 3,
  memoryBytes: 271_581_184,
} as const;
const keyring = {
  sealing: "b",
  keys: [{ id: "b", sealing: true, records: 412, neededUntil: "", removable: false, missing: [] }],
  members: [{ name: "shard-1", role: "shard", host: "gateway-a", keys: ["b"] }],
  rotation: {
    state: "ended",
    total: 412,
    done: 412,
    failed: 0,
    started: "2026-11-21T02:00:00.000Z",
    ended: "2026-11-21T02:00:04.000Z",
    member: "shard-1",
  },
  erasure: { heldSince: "", rewritten: "2026-11-21T03:00:00.000Z", problem: "" },
} satisfies Replies["get-keyring"];
const slot = { slot: 2741, state: "held", member: "shard-1", pin: "", sessions: 3 } satisfies Replies["get-slot"];
const tenant = {
  name: "acme",
  created: "2026-11-21T14:27:39.000Z",
  quotas: {
    sessions: 100,
    requestsPerSecond: 20,
    burst: 40,
    inFlight: null,
    messagesPerDay: 5_000,
    mediaBytesPerSecond: null,
    downloads: null,
    webhooks: null,
  },
} satisfies Replies["get-tenant"];
const key = {
  id: "6b01aa5342b4f53c9f4c",
  tenant: "acme",
  role: "tenant",
  label: "shop backend",
  created: "2026-11-21T14:27:39.000Z",
  expires: null,
  lastUsed: null,
} satisfies Replies["list-keys"]["docs"][number];
const ofPages = [routerErrors.notOnce];
const ofShards = [sharedErrors.memberNotFound, sharedErrors.memberIsNoShard];
const ofOwners = [sharedErrors.sessionNotFound, sharedErrors.sessionNotActive];

/** What is written of the operators' calls. */
export const texts: CallTexts<Replies, Bodies, Parameters> = {
  "sign-in": {
    tag: "Operators: tenants and keys",
    summary: "Sign in with the one-time code of a start",
    description:
      "The code of the link that `npm start` prints becomes an admin key that lasts 12 hours. A wrong code is counted like a wrong key.",
    status: 201,
    requests: { code: { summary: "A code", body: { code: "Yb3x0Kq7JQm1b5l8wV9uAg" } } },
    reply: { key: "tl_nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g", expires: "2026-11-22T22:00:00.000Z" },
    errors: [routerErrors.invalidSignInCode, routerErrors.noMoreKeys],
  },
  "get-self": {
    tag: "Operators: tenants and keys",
    summary: "Whom this key stands for",
    description: "And what it may ask for, so that nobody has to keep a table of roles of his own.",
    reply: {
      key: key.id,
      role: "tenant",
      tenant: "acme",
      may: ["read-self", "create-session", "use-session", "read-session", "operate-session"],
    },
  },
  "list-sessions": {
    tag: "Operators: sessions",
    summary: "List sessions",
    description:
      "All sessions that the key may see, narrowed by what the query names. A page may hold fewer than its limit, none even, and still have a next one. Who accepts `application/x-ndjson` gets all of them, a line each, and needs no pages; where the lines break off, the last one is an error.",
    parameters: {
      limit: 100,
      after: "",
      tenant: "acme",
      platform: "telegram",
      state: "connected",
      member: "shard-1",
      label: "till 7",
      q: "5550100",
    },
    reply: { docs: [session], next: "2741.6b01aa5342b4f53c9f4c7e33" },
    errors: [...ofPages, routerErrors.notNextOfPage],
  },
  "get-session": {
    tag: "Operators: sessions",
    summary: "Look at a session",
    parameters: path,
    reply: { ...session, queue: { events: 0, deadLetters: 2 } },
    errors: [sharedErrors.sessionNotFound],
  },
  "move-session": {
    tag: "Operators: sessions",
    summary: "Move a session to a shard",
    description:
      "A slot moves as a whole, so all sessions of its slot go along. The slot is pinned, and stays there until the pin is taken out. A key of the role `tenant` moves 10 slots an hour.",
    parameters: path,
    requests: { move: { summary: "To a shard", body: { member: "shard-2" } } },
    reply: { id, slot: 2741, member: "shard-2", sessions: 3 },
    errors: [sharedErrors.sessionNotFound, ...ofShards, sharedErrors.memberTakesNoSlots],
  },
  "restart-session": {
    tag: "Operators: sessions",
    summary: "Connect a session anew",
    description: "Its connection ends and another one is made; the login stays.",
    parameters: path,
    reply: { id },
    errors: [...ofOwners, sharedErrors.sessionNotConnected],
  },
  "delete-session": {
    tag: "Operators: sessions",
    summary: "Log a session out, and forget it",
    description: "As its owner would: the account is logged out, and nothing can be brought back.",
    parameters: path,
    reply: { id },
    errors: [...ofOwners, sharedErrors.outcomeUnknown],
  },
  "undelete-session": {
    tag: "Operators: sessions",
    summary: "Bring a session back",
    description:
      "A session that a timer deleted comes back as it was, with its login, its webhook and what waited for it, for 24 hours. One that its owner deleted does not.",
    parameters: path,
    reply: { id },
    errors: [
      sharedErrors.sessionNotFound,
      sharedErrors.sessionNotDeleted,
      routerErrors.sessionQuotaReached,
      sharedErrors.sessionNotConnected,
    ],
  },
  "change-sessions": {
    tag: "Operators: sessions",
    summary: "Do the same to many sessions",
    description:
      "Does to each session what its own call would, eight at once, and answers with a line for each as it is done: `{id, status, outcome}` or `{id, status, message}`. Begins no more once the client has left.",
    requests: {
      restart: { summary: "Connect anew", body: { action: "restart", ids: [id] } },
      move: { summary: "Move to a shard", body: { action: "move", ids: [id], member: "shard-2" } },
    },
    reply: { id, status: 200, outcome: { id } },
  },
  "list-dead-letters": {
    tag: "Operators: sessions",
    summary: "List events that were given up",
    description: "What the session's receiver did not take, in the order in which it was given up. Kept for 7 days, 1,000 of each session.",
    parameters: { id, limit: 50, after: "" },
    reply: {
      docs: [
        {
          id: "1795000000000-0",
          type: "message.new",
          created: "2026-11-21T14:27:39.000Z",
          attempts: 100,
          reason: "attempts",
          body: { id: "4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf", type: "message.new" },
        },
      ],
      next: "",
    },
    errors: [...ofOwners, routerErrors.notNextOfPage, sharedErrors.sessionNotConnected],
  },
  "replay-dead-letters": {
    tag: "Operators: sessions",
    summary: "Deliver again what was given up",
    description: "All dead letters of the session are appended to what waits, in their order, with their ids and bytes.",
    parameters: path,
    reply: { replayed: 2, left: 0 },
    errors: [...ofOwners, sharedErrors.webhookIsOff, sharedErrors.outcomeUnknown],
  },
  "list-members": {
    tag: "Operators: cluster",
    summary: "List processes",
    description: "Every shard that ever joined, and every router and supervisor that was heard of within 15 s, with its load.",
    parameters: { limit: 100, after: "" },
    reply: { docs: [shard], next: "" },
    errors: ofPages,
  },
  "drain-member": {
    tag: "Operators: cluster",
    summary: "Take all slots from a shard",
    description: "Its slots go to the others, a few at once, and it gets none until it is undrained.",
    parameters: { name: "shard-1" },
    reply: { ...shard, state: "draining", drained: true },
    errors: [...ofShards, sharedErrors.lastActiveMember],
  },
  "undrain-member": {
    tag: "Operators: cluster",
    summary: "Give a shard its share again",
    parameters: { name: "shard-1" },
    reply: shard,
    errors: ofShards,
  },
  "get-slot": {
    tag: "Operators: cluster",
    summary: "Look at a slot",
    description: "Who owns it, who should, and how many sessions it has.",
    parameters: { slot: 2741 },
    reply: slot,
    errors: [sharedErrors.slotNotFound],
  },
  "pin-slot": {
    tag: "Operators: cluster",
    summary: "Pin a slot to a shard",
    description: "That shard gets it whenever it is active and not drained, whatever the placement says.",
    parameters: { slot: 2741 },
    requests: { pin: { summary: "To a shard", body: { member: "shard-1" } } },
    reply: { ...slot, pin: "shard-1" },
    errors: [sharedErrors.slotNotFound, ...ofShards],
  },
  "unpin-slot": {
    tag: "Operators: cluster",
    summary: "Take the pin out of a slot",
    description: "The placement decides again.",
    parameters: { slot: 2741 },
    reply: slot,
    errors: [sharedErrors.slotNotFound],
  },
  "get-keyring": {
    tag: "Operators: cluster",
    summary: "Look at the keys that seal",
    description: "Names of the keys, never themselves: who has them, what still needs the old ones, and how far a rotation has come.",
    reply: keyring,
  },
  "rotate-keyring": {
    tag: "Operators: cluster",
    summary: "Seal with another key",
    description: "That key seals from now on, and what the others sealed is sealed anew.",
    requests: { rotate: { summary: "To a key that every process has", body: { key: "b" } } },
    reply: keyring,
    errors: [routerErrors.notKeyName, sharedErrors.keyIsMissing],
  },
  "list-tenants": {
    tag: "Operators: tenants and keys",
    summary: "List tenants",
    parameters: { limit: 100, after: "" },
    reply: { docs: [tenant], next: "" },
    errors: ofPages,
  },
  "create-tenant": {
    tag: "Operators: tenants and keys",
    summary: "Create a tenant",
    status: 201,
    requests: {
      quotas: {
        summary: "With quotas",
        body: { name: "acme", quotas: { sessions: 100, requestsPerSecond: 20, burst: 40, messagesPerDay: 5_000 } },
      },
    },
    reply: tenant,
    errors: [routerErrors.burstAlone, routerErrors.tenantExists, routerErrors.noMoreTenants],
  },
  "get-tenant": {
    tag: "Operators: tenants and keys",
    summary: "Look at a tenant",
    parameters: { name: "acme" },
    reply: tenant,
    errors: [routerErrors.tenantNotFound],
  },
  "change-tenant": {
    tag: "Operators: tenants and keys",
    summary: "Change a tenant's quotas",
    description: "A quota below what is used takes nothing away: it applies to what comes.",
    parameters: { name: "acme" },
    requests: { quotas: { summary: "Another quota", body: { quotas: { sessions: 200, messagesPerDay: null } } } },
    reply: { ...tenant, quotas: { ...tenant.quotas, sessions: 200, messagesPerDay: null } },
    errors: [routerErrors.burstAlone, routerErrors.tenantNotFound],
  },
  "delete-tenant": {
    tag: "Operators: tenants and keys",
    summary: "Delete a tenant",
    description: "With its keys, and only when it has no sessions.",
    parameters: { name: "acme" },
    reply: { name: "acme" },
    errors: [routerErrors.tenantNotFound, routerErrors.defaultTenantStays, routerErrors.tenantHasSessions],
  },
  "list-keys": {
    tag: "Operators: tenants and keys",
    summary: "List API keys",
    description: "In the order in which they were made; never the keys themselves.",
    parameters: { limit: 100, after: "", tenant: "acme" },
    reply: { docs: [key], next: "" },
    errors: ofPages,
  },
  "create-key": {
    tag: "Operators: tenants and keys",
    summary: "Create an API key",
    description: "The only answer that ever shows the key. Every router takes it at once.",
    status: 201,
    requests: {
      tenant: { summary: "For a tenant", body: { tenant: "acme", role: "tenant", label: "shop backend" } },
      admin: { summary: "For an operator, until a day", body: { role: "admin", expires: "2030-01-01T00:00:00Z" } },
    },
    reply: { ...key, key: "tl_nnFpnBTGVdU1lTfOEvQ3ZmAyyCnmCsCyFsbx5KIAb2g" },
    errors: [routerErrors.tenantNotFound, routerErrors.noMoreKeys],
  },
  "delete-key": {
    tag: "Operators: tenants and keys",
    summary: "Revoke an API key",
    description: "No router takes it a second later.",
    parameters: { id: key.id },
    reply: { id: key.id },
    errors: [routerErrors.keyNotFound],
  },
  "list-audit": {
    tag: "Operators: records",
    summary: "List who did what",
    description: "The oldest first, as far as it is kept (about 100,000 rows) and the key may see it.",
    parameters: { limit: 100, after: "", since: "2026-11-22T10:00:00Z", tenant: "acme", session: id },
    reply: {
      docs: [
        {
          at: "2026-11-22T10:00:00.000Z",
          who: key.id,
          what: "create-session",
          target: "",
          tenant: "acme",
          session: id,
          from: "192.0.2.7",
          requestId: "4bf92f3577b34da6a3ce929d0e0e4736",
          status: 201,
          count: 1,
        },
        {
          at: "2026-11-22T10:00:09.000Z",
          who: "cluster",
          what: "take-over",
          target: "shard-2",
          tenant: "",
          session: "",
          from: "shard-1",
          requestId: "",
          status: 200,
          count: 1365,
          sessions: 410,
        },
      ],
      next: "",
    },
    errors: [...ofPages, routerErrors.notNextOfPage, routerErrors.notDatabaseId, routerErrors.notTime],
  },
  "stream-events": {
    tag: "Operators: records",
    summary: "Hear what happens now",
    description:
      "Server-sent events: `session`, `code` and `deliveries` of sessions, `slots` and `load` of shards, `member`, `rotation` and `missed`, and `end` with a `reason` as the last one. A key of a tenant hears of its own sessions alone. `code`, `deliveries`, `load` and `rotation` come once a second at most for each session, shard or rotation. A comment every 15 s keeps the stream open; a client that comes back names the last id in `Last-Event-ID`.",
    reply:
      'retry: 2000\nid: 1795000000000-0\n\nid: 1795000000001-0\nevent: session\ndata: {"at":"2026-11-22T10:00:00.000Z","session":"6b01aa5342b4f53c9f4c7e33","platform":"telegram","tenant":"acme","state":"connected","member":"shard-1"}\n\n',
    errors: [routerErrors.notEventId, routerErrors.tooManyEventStreams],
  },
};
