import { behindProxy } from "../calls-of-both.js";
import { routerErrors } from "../errors/router-errors.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { id, ofPages, ofShards } from "./shared-texts.js";
import type { Texts } from "./types.js";

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
const proxy = { of: "session", address: "socks5://***@proxy.example.com:1080" } as const;
const ofOwners = [sharedErrors.sessionNotFound, sharedErrors.sessionNotActive];

export const sessionTexts = {
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
    reply: { ...session, queue: { events: 0, deadLetters: 2 }, proxy },
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
  "set-proxy": {
    tag: "Operators: sessions",
    summary: "Have a session go through a proxy of its own",
    description:
      "In the place of its tenant's, or of that of the key that created it. Its connection ends, and what was running on it comes to its end for up to 5 seconds; another one is made through the proxy 2 seconds later, and after a lost connection once the platform has dropped that (Telegram: 45 seconds). Calls wait meanwhile for up to 10 seconds. The login stays. A proxy that the session goes through already changes nothing, and none is ever shown with its login.",
    parameters: path,
    requests: { proxy: behindProxy },
    reply: { id, proxy },
    errors: [...ofOwners, sharedErrors.sessionNotConnected],
  },
  "remove-proxy": {
    tag: "Operators: sessions",
    summary: "Have a session go its tenant's way",
    description:
      "Its own proxy, or that of the key that created it, is forgotten. It goes through its tenant's where that has one, or directly, as soon as with another proxy.",
    parameters: path,
    reply: { id, proxy: { of: "none", address: "" } },
    errors: [...ofOwners, sharedErrors.sessionNotConnected],
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
  "retry-webhook": {
    tag: "Operators: sessions",
    summary: "Deliver what waits now",
    description:
      "The oldest event that waits for the session's receiver is tried at once, whatever wait was before it; the others follow when it is taken. Attempts count on. A receiver that is left alone after 20 failures is tried when its 30 s are over.",
    parameters: path,
    reply: { waiting: 3 },
    errors: [...ofOwners, sharedErrors.webhookIsOff, sharedErrors.sessionNotConnected],
  },
  "send-test-event": {
    tag: "Operators: sessions",
    summary: "Send a test event",
    description:
      "One event of the type `test` is appended to what waits, with an id, a signature and repeats like every other. It goes out behind the others.",
    parameters: path,
    reply: { id: "4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf", waiting: 1 },
    errors: [...ofOwners, sharedErrors.webhookIsOff, sharedErrors.webhookIsFull, sharedErrors.outcomeUnknown],
  },
} satisfies Partial<Texts>;
