import type { MemberRecord } from "../../shared/cluster/membership.js";
import type { ProcessReport, ReceivedReport } from "../../shared/cluster/process-report.js";

/** `draining`: gives its slots away, because an operator or its own end asks for it. `drained`: an operator did, and it has none left. */
export type ShownState = MemberRecord["state"] | "drained";

/** One process of the cluster, as `GET /admin/members` shows it. What nobody has told lately is `null`. */
export interface MemberRow {
  name: string;
  role: ProcessReport["role"];
  state: ShownState;
  /** Marked by an operator: gets no slots. */
  drained: boolean;
  host: string;
  version: string | null;
  slots: number | null;
  sessions: number | null;
  loopLagMs: number | null;
  memoryBytes: number | null;
}

/** Every shard that ever joined, and every router and supervisor that was heard of lately. */
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

/** Rows stand in this order; two hosts' supervisors have one name. */
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

function shownState(member: MemberRecord, drained: boolean, slots: number | null): ShownState {
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
