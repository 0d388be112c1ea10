import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ProcessOutcome, runBounded } from "../../../../../shard/files/download/bounded-process.js";

const mebibyte = 1024 * 1024;
const options = { maxOutputBytes: 1024, maxMemoryBytes: 64 * mebibyte, maxCpuSeconds: 1, signal: new AbortController().signal };
const shell = (script: string): Promise<ProcessOutcome> => runBounded("sh", ["-c", script], options);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bounded-test-"));
});
afterAll(() => rm(folder, { recursive: true }));

it("refuses a program the memory beyond its limit", async () => {
  const block = (size: string): Promise<ProcessOutcome> =>
    runBounded("dd", ["if=/dev/zero", "of=/dev/null", "count=1", `bs=${size}`], options);
  expect((await block("16M")).code).toBe(0);
  expect(await block("128M")).toMatchObject({ code: 1, stderr: expect.stringContaining("memory") as string });
});

it("ends a program that has used its CPU time", async () => {
  expect(await shell("while :; do :; done")).toMatchObject({ code: null });
});

it("lets a program write no file and leave no core behind, and makes it the first to go when the host's memory ends", async () => {
  const { code, stdout } = await shell(`ulimit -c; cat /proc/self/oom_score_adj; echo x > ${folder}/file; cat ${folder}/file`);
  expect({ code, said: stdout.toString() }).not.toMatchObject({ code: 0 });
  expect(stdout.toString()).toBe("0\n500\n");
});

it("runs nothing whose limits cannot be set", async () => {
  expect(await runBounded("echo", ["ran"], { ...options, maxCpuSeconds: Number.NaN })).toMatchObject({
    code: 126,
    stdout: Buffer.alloc(0),
  });
});

it("hands every argument over as it is", async () => {
  const args = ["a b", "$HOME", "`id`", "'", '"', "-x", "", "*"];
  expect((await runBounded("printf", ["%s|", ...args], options)).stdout.toString()).toBe(args.map((arg) => `${arg}|`).join(""));
});
