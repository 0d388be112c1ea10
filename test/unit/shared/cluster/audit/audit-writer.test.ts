import { afterEach, expect, it } from "vitest";
import type { AuditRow } from "../../../../../shared/cluster/audit/audit-row.js";
import { AuditWriter, waitingMax } from "../../../../../shared/cluster/audit/audit-writer.js";
import { silentLog, type Log } from "../../../../../shared/log/logger.js";
import { sessionTag } from "../../../../../shared/log/session-tag.js";
import { eventually } from "../../../../harness/eventually.js";

const session = "0123456789abcdef01234567";
const row = (requestId: string): AuditRow => ({
  ...{
    at: "2026-11-22T10:00:00.000Z",
    who: "key-1",
    what: "delete-session",
    target: "sessions/x",
    tenant: "acme",
    session,
    from: "10.0.0.1",
    requestId,
  },
  ...{ status: 200, count: 1 },
});

let counts = { written: 0, lost: 0 };
let lines: { level: string; fields: Record<string, unknown> }[] = [];
let batches: string[][] = [];
/** While set, Redis rejects each batch with this error. */
let refusal: Error | undefined;
let held: Promise<void> | undefined;

const at = (level: string) => (fields: Record<string, unknown>) => void lines.push({ level, fields });
const log: Log = { ...silentLog, info: at("info"), warn: at("warn"), child: () => log };

function aWriter(): AuditWriter {
  const append = async (rows: readonly AuditRow[]): Promise<void> => {
    await held;
    if (refusal !== undefined) throw refusal;
    batches.push(rows.map(({ requestId }) => requestId));
  };
  const metrics = { auditRows: (outcome: "written" | "lost", rows: number) => void (counts[outcome] += rows) };
  return new AuditWriter({ append, metrics, log, againMs: 10 });
}

afterEach(() => {
  counts = { written: 0, lost: 0 };
  lines = [];
  batches = [];
  refusal = held = undefined;
});

it("writes rows that arrive during a batch with the next one, in order", async () => {
  const writer = aWriter();
  for (let i = 0; i < 401; i++) writer.add(row(String(i)));
  await writer.stop();
  expect(batches.map((batch) => batch.length)).toEqual([1, 200, 200]);
  expect(batches.flat()).toEqual(Array.from({ length: 401 }, (_, i) => String(i)));
  expect(counts).toEqual({ written: 401, lost: 0 });
});

it("each row is a line, with a tag for the session and without the path", async () => {
  const writer = aWriter();
  writer.add(row("r"));
  await writer.stop();
  expect(lines).toEqual([
    {
      level: "info",
      fields: {
        ...{
          who: "key-1",
          what: "delete-session",
          tenant: "acme",
          session: sessionTag(session),
          from: "10.0.0.1",
          requestId: "r",
          status: 200,
          count: 1,
        },
      },
    },
  ]);
});

it("a Redis that refuses is tried again, and has all rows once it takes them", async () => {
  refusal = new Error("OOM");
  const writer = aWriter();
  writer.add(row("1"));
  writer.add(row("2"));
  await eventually("two refusals", () => lines.filter(({ level }) => level === "warn").length >= 2);
  refusal = undefined;
  await eventually("both", () => counts.written === 2);
  await writer.stop();
  expect([batches.flat(), counts.lost]).toEqual([["1", "2"], 0]);
});

it("drops rows past the bound except for their log lines, without delaying callers", async () => {
  let release = (): void => undefined;
  held = new Promise((resolve) => (release = resolve));
  const writer = aWriter();
  for (let i = 0; i < waitingMax + 3; i++) writer.add(row(String(i)));
  expect(counts).toEqual({ written: 0, lost: 3 });
  expect(lines.filter(({ level }) => level === "info")).toHaveLength(waitingMax + 3);
  expect(lines.filter(({ level }) => level === "warn").map(({ fields }) => fields["requestId"])).toEqual(["1000", "1001", "1002"]);
  release();
  await writer.stop();
  expect(counts.written).toBe(waitingMax);
});

it("at the end what Redis does not take is counted as lost", async () => {
  refusal = new Error("READONLY");
  const writer = aWriter();
  writer.add(row("1"));
  await writer.stop();
  writer.add(row("2"));
  expect(counts).toEqual({ written: 0, lost: 2 });
});
