import { routerErrors } from "../errors/router-errors.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { ofPages, ofShards } from "./shared-texts.js";
import type { Replies, Texts } from "./types.js";

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

export const clusterTexts = {
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
} satisfies Partial<Texts>;
