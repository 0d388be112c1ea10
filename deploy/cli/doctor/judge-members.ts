import type { MemberRecord } from "../../../shared/cluster/membership.js";
import type { ProcessReport } from "../../../shared/cluster/process-report.js";
import { counted } from "../output/quantities.js";
import { fail, ok, warn, type Finding } from "./finding.js";

export interface MemberFacts {
  readonly members: readonly Pick<MemberRecord, "name" | "state">[];
  /** Reports of the processes that reported within the last 15 s. */
  readonly reports: readonly Pick<ProcessReport, "role" | "name" | "version" | "loopLagMs">[];
  readonly drained: readonly string[];
}

const lagWarnMs = 250;

/** Judges which processes run, and whether they are healthy. */
export function judgeMembers({ members, reports, drained }: MemberFacts): Finding[] {
  const about = "members";
  const shards = reports.filter(({ role }) => role === "shard");
  const routers = reports.filter(({ role }) => role === "router");
  if (reports.length === 0) return [warn(about, "not running", "start the gateway (npm start, or the containers)")];
  const hasReport = (name: string): boolean => shards.some((report) => report.name === name);
  const named = (wanted: (member: MemberFacts["members"][number]) => boolean): string =>
    members
      .filter(wanted)
      .map(({ name }) => name)
      .join(", ");
  const dead = named(({ state }) => state === "dead");
  const silent = named(({ name, state }) => (state === "active" || state === "draining") && !hasReport(name));
  const slow = reports.filter(({ loopLagMs }) => loopLagMs > lagWarnMs).map(({ name, loopLagMs }) => `${name} (${loopLagMs} ms)`);
  const versions = [...new Set(reports.map(({ version }) => version))];
  const findings = [
    ...(shards.length === 0 ? [fail(about, "no shard is running", "start a shard; without one no session is connected")] : []),
    ...(routers.length === 0 ? [fail(about, "no router is running", "start a router; without one the API is unavailable")] : []),
    ...(dead === "" ? [] : [warn(about, `${dead} is dead`, "check its log and restart it; other shards have its sessions")]),
    ...(silent === "" ? [] : [warn(about, `${silent} has not reported for 15 s`, "check that its host is up and reaches Redis")]),
    ...(drained.length === 0
      ? []
      : [warn(about, `${drained.join(", ")} is drained`, "run trunkline undrain when its maintenance is over")]),
    ...(slow.length === 0 ? [] : [warn(about, `${slow.join(", ")} has event loop lag`, "add CPU to its host, or add shards")]),
    ...(versions.length < 2 ? [] : [warn(about, `versions ${versions.join(", ")} are mixed`, "upgrade all processes to the same version")]),
  ];
  return findings.length > 0
    ? findings
    : [ok(about, `${counted(routers.length, "router")}, ${counted(shards.length, "shard")}, version ${versions.join()}`)];
}
