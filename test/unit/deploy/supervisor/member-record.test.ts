import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MemberRecord } from "../../../../deploy/supervisor/member-record.js";
import { silentLog } from "../../../../shared/log/logger.js";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "members-"))));
afterEach(() => rmSync(folder, { recursive: true }));

it("names the incarnations of an earlier start whose processes are gone, the last of each member", () => {
  const { pid } = spawnSync("true");
  const record = new MemberRecord(folder, silentLog);
  record.write({ member: "shard-1", incarnation: "a", pid });
  record.write({ member: "shard-1", incarnation: "b", pid });
  record.write({ member: "shard-2", incarnation: "c", pid: process.pid });
  expect(new MemberRecord(folder, silentLog).readDead()).toEqual([{ member: "shard-1", incarnation: "b", why: "reaped" }]);
});

it("says of none of another start of the kernel, or of one that nobody noted, that its sockets are closed", () => {
  const { pid } = spawnSync("true");
  new MemberRecord(folder, silentLog, "h", "before the reset").write({ member: "shard-1", incarnation: "a", pid });
  expect(new MemberRecord(folder, silentLog, "h", "after it").readDead()).toEqual([
    { member: "shard-1", incarnation: "a", why: "timeout" },
  ]);
  writeFileSync(join(folder, "members.json"), JSON.stringify([{ member: "shard-1", incarnation: "a", pid, host: "h" }]));
  expect(new MemberRecord(folder, silentLog, "h").readDead()).toEqual([{ member: "shard-1", incarnation: "a", why: "timeout" }]);
});

it("only warns when the note cannot be written", () => {
  // A folder in the file's place makes the write fail, as on a full disk.
  mkdirSync(join(folder, "members.json.new"));
  const warnings: string[] = [];
  const record = new MemberRecord(folder, { warn: (_: unknown, text?: string) => void warnings.push(text ?? "") });
  record.write({ member: "shard-1", incarnation: "a", pid: process.pid });
  expect(warnings).toEqual(["member record not written"]);
  expect(existsSync(join(folder, "members.json"))).toBe(false);
});

it.each(["", "{", '[{"member":1}]'])("knows nobody from a damaged file: %s", (text) => {
  writeFileSync(join(folder, "members.json"), text);
  expect(new MemberRecord(folder, silentLog).readDead()).toEqual([]);
});
