import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MemberRecord } from "../../../../deploy/supervisor/member-record.js";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "members-"))));
afterEach(() => rmSync(folder, { recursive: true }));

it("names the incarnations of an earlier start whose processes are gone, the last of each member", () => {
  const { pid } = spawnSync("true");
  const record = new MemberRecord(folder);
  record.write({ member: "shard-1", incarnation: "a", pid });
  record.write({ member: "shard-1", incarnation: "b", pid });
  record.write({ member: "shard-2", incarnation: "c", pid: process.pid });
  expect(new MemberRecord(folder).readDead()).toEqual([{ member: "shard-1", incarnation: "b", pid }]);
});

it.each(["", "{", '[{"member":1}]'])("knows nobody from a damaged file: %s", (text) => {
  writeFileSync(join(folder, "members.json"), text);
  expect(new MemberRecord(folder).readDead()).toEqual([]);
});
