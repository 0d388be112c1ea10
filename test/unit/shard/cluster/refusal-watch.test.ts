import { describe, expect, it } from "vitest";
import type { Log } from "../../../../shared/log/logger.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { sessionTag } from "../../../../shared/log/session-tag.js";
import { RefusalWatch } from "../../../../shard/cluster/refusal-watch.js";
import type { RefusalKind } from "../../../../shard/session/refusal.js";

const minute = 60_000;

function watching() {
  let nowMs = 0;
  const counted: string[] = [];
  const logged: unknown[] = [];
  const log: Log = { ...silentLog, warn: (fields: unknown) => void logged.push(fields) };
  const watch = new RefusalWatch({
    tenantOf: () => "acme",
    onRefused: (...labels) => void counted.push(labels.join(" ")),
    log,
    now: () => nowMs,
  });
  const note = (session: string, kind: RefusalKind, times = 1): void => {
    for (let n = 0; n < times; n += 1) watch.note({ platform: "whatsapp", session, kind, class: "send", message: "refused" });
  };
  return { watch, note, counted, logged, pass: (ms: number) => void (nowMs += ms) };
}

describe("RefusalWatch", () => {
  it("counts every refusal", () => {
    const { note, counted } = watching();
    note("a", "not-found");
    note("a", "flood");
    expect(counted).toEqual(["whatsapp not-found send", "whatsapp flood send"]);
  });
  it("lists sessions with three strains within a quarter of an hour, and drops them after that", () => {
    const { watch, note, pass } = watching();
    note("a", "flood", 2);
    expect(watch.strained()).toEqual([]);
    pass(10 * minute);
    note("a", "restricted");
    note("b", "flood", 2);
    expect(watch.strained()).toEqual([{ platform: "whatsapp", kind: "restricted" }]);
    pass(6 * minute);
    expect(watch.strained()).toEqual([]);
  });
  it("counts one ban as strain, and mistakes of callers not at all", () => {
    const { watch, note } = watching();
    note("a", "not-found", 9);
    note("b", "banned");
    expect(watch.strained()).toEqual([{ platform: "whatsapp", kind: "banned" }]);
  });
  it("logs a session once, and again after a time without strain", () => {
    const { watch, note, logged, pass } = watching();
    note("a", "flood", 5);
    expect(logged).toEqual([{ session: sessionTag("a"), tenant: "acme", platform: "whatsapp", kind: "flood" }]);
    pass(20 * minute);
    watch.strained();
    note("a", "flood", 3);
    expect(logged).toHaveLength(2);
  });
  it("evicts past its bound", () => {
    const { watch, note } = watching();
    for (let n = 0; n < 50_001; n += 1) note(`s${n}`, "banned");
    expect(watch.strained()).toHaveLength(50_000);
  });
});
