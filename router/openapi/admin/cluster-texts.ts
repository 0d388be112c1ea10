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
const place = { slot: 2741, state: "held", member: "shard-1", pin: "" } as const;
const slot = { ...place, sessions: 3 } satisfies Replies["get-slot"];

export const clusterTexts = {
  "list-members": {
    tag: "Operators: cluster",
    summary: "List processes",
    description: "Returns all shards, and all routers and supervisors that reported in the last 15 s, with their load.",
    parameters: { limit: 100, after: "" },
    reply: { docs: [shard], next: "" },
    errors: ofPages,
  },
  "drain-member": {
    tag: "Operators: cluster",
    summary: "Drain shard",
    description: "Moves all slots off the shard, a few at a time. The shard gets no slots until you undrain it.",
    parameters: { name: "shard-1" },
    reply: { ...shard, state: "draining", drained: true },
    errors: [...ofShards, sharedErrors.lastActiveMember],
  },
  "undrain-member": {
    tag: "Operators: cluster",
    summary: "Undrain shard",
    parameters: { name: "shard-1" },
    reply: shard,
    errors: ofShards,
  },
  "list-slots": {
    tag: "Operators: cluster",
    summary: "List slots",
    description: "Returns the owner and the pin of every slot, in the order of their numbers.",
    parameters: { limit: 1000, after: "2740" },
    reply: { docs: [place], next: "2741" },
    errors: ofPages,
  },
  "get-slot": {
    tag: "Operators: cluster",
    summary: "Get a slot",
    description: "Returns the owner, the pin and the number of sessions of the slot.",
    parameters: { slot: 2741 },
    reply: slot,
    errors: [sharedErrors.slotNotFound],
  },
  "pin-slot": {
    tag: "Operators: cluster",
    summary: "Pin a slot to a shard",
    description: "Assigns the slot to the shard whenever the shard is active and not drained.",
    parameters: { slot: 2741 },
    requests: { pin: { summary: "To a shard", body: { member: "shard-1" } } },
    reply: { ...slot, pin: "shard-1" },
    errors: [sharedErrors.slotNotFound, ...ofShards],
  },
  "unpin-slot": {
    tag: "Operators: cluster",
    summary: "Unpin a slot",
    description: "Removes the pin. The cluster chooses the shard again.",
    parameters: { slot: 2741 },
    reply: slot,
    errors: [sharedErrors.slotNotFound],
  },
  "get-keyring": {
    tag: "Operators: cluster",
    summary: "List encryption keys",
    description:
      "Returns the names of the keys, the processes with each key, the records that still need old keys, and the progress of a rotation.",
    reply: keyring,
  },
  "rotate-keyring": {
    tag: "Operators: cluster",
    summary: "Rotate encryption key",
    description: "Encrypts new records with this key and re-encrypts existing records.",
    requests: { rotate: { summary: "Key that every process has", body: { key: "b" } } },
    reply: keyring,
    errors: [routerErrors.notKeyName, sharedErrors.keyIsMissing],
  },
} satisfies Partial<Texts>;
