import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const dist = fileURLToPath(new URL("../../../../dist/", import.meta.url));

it("a process keeps its small buffers in blocks of 8 KiB, whatever the default of its Node is", () => {
  const program = `
    Buffer.poolSize = 64 * 1024;
    const { runProcess } = await import("${dist}shared/process/run.js");
    const { createLog } = await import("${dist}shared/log/logger.js");
    await runProcess(createLog({}, "error"), () => {});
    const size = () => Buffer.allocUnsafe(1_000).buffer.byteLength;
    console.log(Array.from({ length: 200 }, size).at(-1));
    process.exit(0);`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  expect(stdout).toBe("8192\n");
});
