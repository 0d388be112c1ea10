import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = join(import.meta.dirname, "../../../../dist/shared/process/idle-heap.js");
/** V8 prints a flag that it does not know. The second timer keeps the process until the first one has set the flag. */
const program = `
  import { keepIdleHeap } from ${JSON.stringify(source)};
  keepIdleHeap(1);
  setTimeout(() => console.log("set"), 50);
`;

it("sets a flag that this version of Node.js has", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  expect([stdout, stderr]).toEqual(["set\n", ""]);
});

it("does not keep a process running", () => {
  const { status } = spawnSync(process.execPath, ["--input-type=module", "--eval", program.replace("50", "0").replace("(1)", "()")], {
    timeout: 30_000,
  });
  expect(status).toBe(0);
});
