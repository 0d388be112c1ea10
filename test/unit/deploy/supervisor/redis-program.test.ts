import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { redisProgram } from "../../../../deploy/supervisor/redis-program.js";

let folder: string;
let other: string;
beforeEach(() => ([folder, other] = [mkdtempSync(join(tmpdir(), "redis-")), mkdtempSync(join(tmpdir(), "valkey-"))]));
afterEach(() => {
  for (const made of [folder, other]) rmSync(made, { recursive: true });
});

const put = (where: string, name: string, mode = 0o755): void => writeFileSync(join(where, name), "", { mode });

it("is Valkey where there is no Redis", () => {
  put(other, "valkey-server");
  expect(redisProgram([folder, other].join(delimiter))).toBe("valkey-server");
});

it("is Redis where there is, wherever it stands on the path", () => {
  put(folder, "valkey-server");
  put(other, "redis-server");
  expect(redisProgram([folder, other].join(delimiter))).toBe("redis-server");
});

it("is no file that cannot be run, and Redis is named when nothing is there", () => {
  put(folder, "redis-server", 0o644);
  put(other, "valkey-server");
  expect(redisProgram([folder, other].join(delimiter))).toBe("valkey-server");
  expect(redisProgram("")).toBe("redis-server");
});
