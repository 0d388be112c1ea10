import { afterEach, expect, it, vi } from "vitest";
import { createAuditLog } from "../../../../../shared/cluster/audit/audit-log.js";

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ["debug", true],
  ["info", true],
  // The default of `npm start`.
  ["warn", true],
  ["error", false],
  ["silent", false],
])("at level %s a line of the audit is shown: %s", (logLevel, shown) => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  createAuditLog("shard", { name: "shard-1", logLevel }).info({ what: "take-over" }, "audit");
  const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown);
  vi.restoreAllMocks();
  expect(lines).toEqual(shown ? [expect.objectContaining({ role: "shard", member: "shard-1", what: "take-over", msg: "audit" })] : []);
});
