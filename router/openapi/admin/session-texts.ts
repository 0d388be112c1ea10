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
  restrictedUntil: "",
  webhookLag: 0,
} as const;
const proxy = { of: "session", address: "socks5://***@proxy.example.com:1080" } as const;
const ofOwners = [sharedErrors.sessionNotFound, sharedErrors.sessionNotActive];

export const sessionTexts = {
  "list-sessions": {
    tag: "Operators: sessions",
    summary: "List sessions",
    description:
      "Returns the sessions that the key can see and that match all filters. A page can have fewer rows than `limit`, or none, and still have a next page. With `Accept: application/x-ndjson` you get all sessions without pages, one per line.",
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
    summary: "Get a session",
    parameters: path,
    reply: {
      ...session,
      restrictedUntil: "2026-11-23T14:27:39.000Z",
      queue: { events: 0, deadLetters: 2 },
      proxy,
      health: {
        reason: "Telegram limits the account (PEER_FLOOD)",
        counts: [{ kind: "restricted", count: 1 }],
        refusals: [{ kind: "restricted", message: "400: PEER_FLOOD (caused by messages.SendMessage)", at: "2026-11-22T14:27:39.000Z" }],
      },
    },
    errors: [sharedErrors.sessionNotFound],
  },
  "move-session": {
    tag: "Operators: sessions",
    summary: "Move a session to a shard",
    description:
      "Moves the session's slot with all of its sessions, and pins the slot to the shard until you unpin it. A key with the role `tenant` can move 10 slots per hour.",
    parameters: path,
    requests: { move: { summary: "To a shard", body: { member: "shard-2" } } },
    reply: { id, slot: 2741, member: "shard-2", sessions: 3 },
    errors: [sharedErrors.sessionNotFound, ...ofShards, sharedErrors.memberTakesNoSlots],
  },
  "set-proxy": {
    tag: "Operators: sessions",
    summary: "Set session proxy",
    description:
      "Replaces the proxy of the tenant or of the key that created the session. The session finishes running work for up to 5 seconds and reconnects through the proxy 2 seconds later. If the connection was lost, it reconnects when the platform has dropped the old connection (Telegram: 45 seconds). Calls wait for up to 10 seconds meanwhile. The account stays linked. Setting the current proxy again changes nothing. Responses never include the proxy's login.",
    parameters: path,
    requests: { proxy: behindProxy },
    reply: { id, proxy },
    errors: [...ofOwners, sharedErrors.sessionNotConnected],
  },
  "remove-proxy": {
    tag: "Operators: sessions",
    summary: "Remove session proxy",
    description:
      "Removes the session's own proxy, or the proxy of the key that created it. The session then reconnects through its tenant's proxy, or directly.",
    parameters: path,
    reply: { id, proxy: { of: "none", address: "" } },
    errors: [...ofOwners, sharedErrors.sessionNotConnected],
  },
  "restart-session": {
    tag: "Operators: sessions",
    summary: "Restart a session",
    description: "Disconnects and reconnects the session. The account stays linked.",
    parameters: path,
    reply: { id },
    errors: [...ofOwners, sharedErrors.sessionNotConnected],
  },
  "delete-session": {
    tag: "Operators: sessions",
    summary: "Delete a session",
    description: "Logs the account out and deletes all stored data. You cannot restore the session.",
    parameters: path,
    reply: { id },
    errors: [...ofOwners, sharedErrors.outcomeUnknown],
  },
  "undelete-session": {
    tag: "Operators: sessions",
    summary: "Restore a session",
    description:
      "Restores a session that a timer deleted in the last 24 hours, with its login, webhook and pending events. You cannot restore a session that its owner deleted.",
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
    summary: "Run a bulk action",
    description:
      "Runs the action on each session, eight at a time, and sends one line when a session is done: `{id, status, outcome}` or `{id, status, message}`. If the client disconnects, the gateway starts no further sessions.",
    requests: {
      restart: { summary: "Restart", body: { action: "restart", ids: [id] } },
      move: { summary: "Move to a shard", body: { action: "move", ids: [id], member: "shard-2" } },
    },
    reply: { id, status: 200, outcome: { id } },
  },
  "list-dead-letters": {
    tag: "Operators: sessions",
    summary: "List failed events",
    description:
      "Returns events that the webhook receiver did not accept, in order of failure. The gateway keeps up to 1,000 per session for 7 days.",
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
    summary: "Replay failed events",
    description: "Appends all failed events of the session to the webhook queue, in their order, with the same ids and bodies.",
    parameters: path,
    reply: { replayed: 2, left: 0 },
    errors: [...ofOwners, sharedErrors.webhookIsOff, sharedErrors.outcomeUnknown],
  },
  "retry-webhook": {
    tag: "Operators: sessions",
    summary: "Retry webhook now",
    description:
      "Sends the oldest pending event at once instead of waiting for its next retry. The other events follow after a success. The attempt counts as a retry. If the gateway paused the receiver after 20 failures, it waits for the end of the pause of 30 s.",
    parameters: path,
    reply: { waiting: 3 },
    errors: [...ofOwners, sharedErrors.webhookIsOff, sharedErrors.sessionNotConnected],
  },
  "send-test-event": {
    tag: "Operators: sessions",
    summary: "Send a test event",
    description: "Appends an event of the type `test` to the webhook queue. The gateway signs and retries it like any other event.",
    parameters: path,
    reply: { id: "4c9081450baa7a3091f72e55209b26c85c64ad02cf27f4c420fdcc89ff78aedf", waiting: 1 },
    errors: [...ofOwners, sharedErrors.webhookIsOff, sharedErrors.webhookIsFull, sharedErrors.outcomeUnknown],
  },
} satisfies Partial<Texts>;
