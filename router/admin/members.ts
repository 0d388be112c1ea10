import * as errors from "../../shared/contract/errors.js";
import type { MemberWatch } from "../../shared/cluster/member-watch.js";
import type { MemberRecord } from "../../shared/cluster/membership.js";
import { drain, readMarks, undrain } from "../../shared/cluster/operator-marks.js";
import { readReports } from "../../shared/cluster/process-report.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { HttpInput } from "../endpoint/endpoint.js";
import { toHttpInput } from "../endpoint/http-input.js";
import type { HttpHandler } from "../http/handler.js";
import { json, type JsonResponse } from "../http/response.js";
import type { AdminHandler } from "./admin-handler.js";
import { parseNothing, parsePage, parseQuery } from "./admin-input.js";
import { orStorageUnavailable } from "../http/or-storage-unavailable.js";
import { memberKey, memberRows, shardRow } from "./member-rows.js";
import { pageOf } from "./page.js";

export interface ClusterParts {
  readonly redis: RedisClient;
  readonly members: Pick<MemberWatch, "all" | "get" | "lives">;
}

/** GET /admin/members: every process of the cluster with the load that it reported within the last 15 s. */
export function listMembers({ redis, members }: ClusterParts): AdminHandler {
  return async (request, _signal, { role }) => {
    const page = parsePage(parseQuery(await toHttpInput(request), ["limit", "after"]));
    const [reports, { drained }] = await orStorageUnavailable(Promise.all([readReports(redis), readMarks(redis)]));
    const rows = memberRows(members.all(), reports, drained);
    // A tenant must not see how many sessions other tenants have.
    const visible = role === "admin" ? rows : rows.map((row) => ({ ...row, sessions: null }));
    return json(200, JSON.stringify(pageOf(visible, memberKey, page)));
  };
}

/**
 * POST /admin/members/{name}/drain: moves its slots to other shards, a few at a time, and gives it none until it is undrained. 409 for the
 * last active shard.
 */
export function drainMember(parts: ClusterParts): HttpHandler {
  return async (request) => {
    const member = await find(parts, await toHttpInput(request));
    const active = parts.members.all().flatMap(({ name, state }) => (state === "active" ? [name] : []));
    if (!(await orStorageUnavailable(drain(parts.redis, member.name, active)))) throw errors.lastActiveMember();
    return await shown(parts, member);
  };
}

/** POST /admin/members/{name}/undrain: lets the shard take its share of slots again. */
export function undrainMember(parts: ClusterParts): HttpHandler {
  return async (request) => {
    const member = await find(parts, await toHttpInput(request));
    await orStorageUnavailable(undrain(parts.redis, member.name));
    return await shown(parts, member);
  };
}

/** Returns a shard that ever joined, alive or not. Throws for other processes, because they own no slots. */
export async function findShard({ redis, members }: ClusterParts, name: string): Promise<MemberRecord> {
  const member = members.get(name);
  if (member !== undefined) return member;
  const others = await orStorageUnavailable(readReports(redis));
  throw others.some((report) => report.role !== "shard" && report.name === name) ? errors.memberIsNoShard() : errors.memberNotFound();
}

async function find(parts: ClusterParts, http: HttpInput): Promise<MemberRecord> {
  parseNothing(http);
  return await findShard(parts, http.params["name"] ?? "");
}

async function shown({ redis }: ClusterParts, member: MemberRecord): Promise<JsonResponse> {
  const [reports, { drained }] = await orStorageUnavailable(Promise.all([readReports(redis), readMarks(redis)]));
  const report = reports.find(({ role, name }) => role === "shard" && name === member.name);
  return json(200, JSON.stringify(shardRow(member, report, drained.has(member.name))));
}
