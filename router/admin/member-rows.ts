import type { Count } from "../../shared/contract/plain-values.js";
import type { MemberRecord } from "../../shared/cluster/membership.js";
import type { ProcessReport, ReceivedReport } from "../../shared/cluster/process-report.js";

/** `draining`: gives its slots away, because an operator or its own end asks for it. `drained`: an operator did, and it has none left. */
export type ShownState = MemberRecord["state"] | "drained";

/** One process of the cluster. What nobody has told within 15 s is `null`. */
export interface MemberRow {
  /** Its stable name. */
  name: string;
  /** What it does. */
  role: ProcessReport["role"];
  /** `draining`: gives its slots away; `drained`: has none left, because an operator asked for it; `dead`: buried; `gone`: left in order. */
  state: ShownState;
  /** Marked by an operator: gets no slots. */
  drained: boolean;
  /** Where it runs. */
  host: string;
  /** Its version of the program. */
  version: string | null;
  /** Slots that a shard owns. */
  slots: Count | null;
  /** Sessions that a shard hosts; `null`, but for the role `admin`. */
  sessions: Count | null;
  /** The worst delay of its event loop in the last moments, milliseconds. */
  loopLagMs: Count | null;
  /** Resident memory, bytes. */
  memoryBytes: Count | null;
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
