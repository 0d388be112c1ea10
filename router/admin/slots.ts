import { ApiError } from "../../shared/contract/api-error.js";
import * as errors from "../../shared/contract/errors.js";
import { mustBeInteger } from "../../shared/contract/rules.js";
import { announceSlots, ownerServes, readOwner, readOwners, type SlotOwner } from "../../shared/cluster/ownership.js";
import { pin, readMarks, readPin, unpin } from "../../shared/cluster/operator-marks.js";
import type { Count } from "../../shared/contract/plain-values.js";
import { slotCount } from "../../shared/limits.js";
import { keys } from "../../shared/redis/keys.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { toHttpInput } from "../endpoint/http-input.js";
import type { HttpHandler } from "../http/handler.js";
import { json, type JsonResponse } from "../http/response.js";
import type { AdminHandler } from "./admin-handler.js";
import { parseMember, parsePage, parseQuery } from "./admin-input.js";
import { orStorageUnavailable } from "../http/or-storage-unavailable.js";
import { findShard, type ClusterParts } from "./members.js";
import { pageOf } from "./page.js";

/** Owner and pin of one of 4096 groups of sessions that move together. Strings are empty if there is no value. */
export interface SlotAssignment {
  /** Number of the slot, 0 to 4095. */
  slot: Count;
  /** `lost`: the owner died, and no shard has taken the slot yet. */
  state: SlotOwner["state"] | "lost";
  /** Shard that owns the slot. */
  member: string;
  /** Shard that the slot is pinned to. */
  pin: string;
}

export interface SlotRow extends SlotAssignment {
  /** Number of sessions in the slot. `null` except for the role `admin`. */
  sessions: Count | null;
}

/** GET /admin/slots/{slot}: its owner, its pin, and its number of sessions. */
export function getSlot(parts: ClusterParts): AdminHandler {
  return async (request, _signal, { role }) => {
    const row = await rowOf(parts, slotIn(await toHttpInput(request)));
    // A tenant must not see how many sessions others have in that slot.
    return json(200, JSON.stringify(role === "admin" ? row : { ...row, sessions: null }));
  };
}

/** GET /admin/slots: owners and pins of all slots, without the numbers of sessions, which would be 4096 more reads. */
export function listSlots({ redis, members }: ClusterParts): HttpHandler {
  return async (request) => {
    const page = parsePage(parseQuery(await toHttpInput(request), ["limit", "after"]));
    const { docs: slots, next } = pageOf(allSlots, pageKey, page);
    const [owners, { pins }] = await orStorageUnavailable(Promise.all([readOwners(redis, slots), readMarks(redis)]));
    const docs = slots.map((slot, index) => placeOf(members, slot, owners[index], pins.get(slot)));
    return json(200, JSON.stringify({ docs, next }));
  };
}

/** PUT /admin/slots/{slot}/pin `{member}`: gives the slot to that member whenever it is active and not drained, regardless of placement. */
export function pinSlot(parts: ClusterParts): HttpHandler {
  return async (request) => {
    const http = await toHttpInput(request);
    const slot = slotIn(http);
    const { name } = await findShard(parts, parseMember(http));
    await orStorageUnavailable(pin(parts.redis, slot, name));
    await announceSlots(parts.redis, [slot]).catch(() => undefined);
    return await shown(parts, slot);
  };
}

/** DELETE /admin/slots/{slot}/pin: returns the slot to normal placement. */
export function unpinSlot(parts: ClusterParts): HttpHandler {
  return async (request) => {
    const slot = slotIn(await toHttpInput(request));
    await orStorageUnavailable(unpin(parts.redis, slot));
    await announceSlots(parts.redis, [slot]).catch(() => undefined);
    return await shown(parts, slot);
  };
}

const allSlots = Array.from({ length: slotCount }, (_, slot) => slot);
/** Pages are in the order of these texts. */
const pageKey = (slot: number): string => String(slot).padStart(4, "0");

function placeOf(members: ClusterParts["members"], slot: number, owner: SlotOwner | undefined, pinned = ""): SlotAssignment {
  const row = { slot, pin: pinned };
  if (owner === undefined || owner.state === "free") return { ...row, state: "free", member: "" };
  return { ...row, state: ownerServes(members, owner) ? owner.state : "lost", member: owner.member };
}

async function shown(parts: ClusterParts, slot: number): Promise<JsonResponse> {
  return json(200, JSON.stringify(await rowOf(parts, slot)));
}

async function rowOf({ redis, members }: ClusterParts, slot: number): Promise<SlotRow> {
  const [owner, pinned, sessions] = await orStorageUnavailable(
    Promise.all([readOwner(redis, slot), readPin(redis, slot), redis.scard(keys.slotSessions(slot))]),
  );
  return { ...placeOf(members, slot, owner, pinned), sessions };
}

function slotIn({ params }: HttpInput): number {
  const text = params["slot"] ?? "";
  if (!/^\d{1,9}$/.test(text)) throw new ApiError(400, mustBeInteger("slot", 0, slotCount - 1));
  const slot = Number(text);
  if (slot >= slotCount) throw errors.slotNotFound();
  return slot;
}
