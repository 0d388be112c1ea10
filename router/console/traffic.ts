import { readReports } from "../../shared/cluster/process-report.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { RoutePort } from "../endpoint/mount.js";
import type { RoutePath } from "../http/handler.js";
import { orStorageUnavailable } from "../http/or-storage-unavailable.js";
import { json } from "../http/response.js";
import { mountCall, type CallParts } from "./mount-call.js";

/** Counts of one router since its start. */
export interface RouterTraffic {
  readonly router: string;
  /** Time of the counts by the router's own clock, in milliseconds since the epoch. */
  readonly at: number;
  readonly messages: number;
  readonly errors: number;
}

/** GET /console/traffic: the counts that each router last reported. Only for admins, because they cover all tenants. */
export function mountTraffic(app: RoutePort, path: RoutePath, redis: RedisClient, parts: CallParts): void {
  const handle = async (): Promise<ReturnType<typeof json>> => {
    const reports = await orStorageUnavailable(readReports(redis));
    const docs = reports.flatMap(({ name, host, traffic }): RouterTraffic[] =>
      traffic === undefined ? [] : [{ router: `${name}/${host}`, ...traffic }],
    );
    return json(200, JSON.stringify({ docs }));
  };
  mountCall(app, { method: "GET", path, name: "console traffic", action: "administer", deadlineMs: 10_000, handle }, parts);
}
