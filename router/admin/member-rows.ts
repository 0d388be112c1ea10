import type { Count } from "../../shared/contract/plain-values.js";
import type { MemberRecord } from "../../shared/cluster/membership.js";
import type { ProcessReport, ReceivedReport } from "../../shared/cluster/process-report.js";

/** `draining`: moves its slots to others before a stop or after a drain. `drained`: has no slots left after a drain. */
export type MemberState = MemberRecord["state"] | "drained";

/** One process of the cluster. Values that were not reported within 15 s are `null`. */
export interface MemberRow {
  /** Name of the process. */
  name: string;
  /** Role of the process. */
  role: ProcessReport["role"];
  /** `draining`: moves its slots to others; `drained`: has no slots left after a drain; `dead`: failed; `gone`: stopped. */
  state: MemberState;
  /** True if an operator drained the shard. It gets no slots. */
  drained: boolean;
  /** Host of the process. */
  host: string;
  /** Version of Trunkline. */
  version: string | null;
  /** Number of slots that the shard owns. */
  slots: Count | null;
  /** Number of sessions on the shard. `null` except for the role `admin`. */
  sessions: Count | null;
  /** Highest recent delay of the event loop in milliseconds. */
  loopLagMs: Count | null;
  /** Resident memory in bytes. */
  memoryBytes: Count | null;
}

/** Returns every shard that ever joined, and every router and supervisor that reported recently. */
export function memberRows(
  members: readonly MemberRecord[],
  reports: readonly ReceivedReport[],
  drained: ReadonlySet<string>,
): MemberRow[] {
  const shards = members.map((member) => {
    const report = lives(member) ? reports.find(({ role, name }) => role === "shard" && name === member.name) : undefined;
    return shardRow(member, report, drained.has(member.name));
  });
  const others = reports.filter(({ role }) => role !== "shard").map((report) => processRow(report));
  return [...shards, ...others];
}

/** Sort key of a row. It includes the host, because supervisors on two hosts share a name. */
export function memberKey({ role, name, host }: MemberRow): string {
  return `${role}/${name}/${host}`;
}

export function shardRow(member: MemberRecord, report: ReceivedReport | undefined, drained: boolean): MemberRow {
  const { name, host } = member;
  const slots = report?.slots ?? null;
  return { name, role: "shard", state: shownState(member, drained, slots), drained, host, ...loadOf(report) };
}

function processRow(report: ReceivedReport): MemberRow {
  const { name, role, host } = report;
  return { name, role, state: "active", drained: false, host, ...loadOf(report) };
}

function shownState(member: MemberRecord, drained: boolean, slots: number | null): MemberState {
  if (member.state !== "active" || !drained) return member.state;
  return slots === 0 ? "drained" : "draining";
}

function loadOf(report: ReceivedReport | undefined): Pick<MemberRow, "version" | "slots" | "sessions" | "loopLagMs" | "memoryBytes"> {
  if (report === undefined) return { version: null, slots: null, sessions: null, loopLagMs: null, memoryBytes: null };
  const { version, slots = null, sessions = null, loopLagMs, memoryBytes } = report;
  return { version, slots, sessions, loopLagMs, memoryBytes };
}

function lives({ state }: MemberRecord): boolean {
  return state === "active" || state === "draining";
}
