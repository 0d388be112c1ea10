import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = join(import.meta.dirname, "../../../../dist/shared/process/collect-garbage.js");
/** Prints the old space of a process with an array of 40 MB that nothing refers to, before and after. */
const program = `
  import { getHeapSpaceStatistics } from "node:v8";
  import { runInNewContext } from "node:vm";
  import { collectGarbage } from ${JSON.stringify(source)};
  const used = () => getHeapSpaceStatistics().reduce((sum, { space_used_size }) => sum + space_used_size, 0);
  (() => new Array(5e6).fill(0.5))();
  const before = used();
  collectGarbage();
  const exposed = [typeof globalThis.gc, runInNewContext("typeof gc")];
  console.log(JSON.stringify({ before, after: used(), exposed }));
`;

it("collects garbage in a process that was started without a flag, and exposes the function to no other code", () => {
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  const { before, after, exposed } = JSON.parse(stdout) as { before: number; after: number; exposed: string[] };
  expect(before - after).toBeGreaterThan(30_000_000);
  expect(exposed).toEqual(["undefined", "undefined"]);
});
