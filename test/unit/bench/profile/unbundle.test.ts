import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { summarizeProfile } from "../../../../bench/profile/profile-summary.js";
import { unbundle } from "../../../../bench/profile/unbundle.js";

/** The shard's built program. */
const path = resolve(import.meta.dirname, "../../../../dist/shard/main.js");
const lines = readFileSync(path, "utf8").split("\n");

it.each([
  ["ours", "function slotOf(", "shared/contract", /^slotOf slot\.ts:\d+$/],
  ["a CommonJS library's", "function parseStringValue(", "big-integer", /BigInteger\.js:\d+$/],
  ["a library's of ES modules", "wMexQuery=(", "@whiskeysockets/baileys", /mex\.js:\d+$/],
])("a function of a process's one file is told where it was written: %s", async (_, declaration, module, place) => {
  const lineNumber = lines.findIndex((line) => line.includes(declaration));
  expect(lineNumber).toBeGreaterThan(0);
  const functionName = declaration.split(/\W+/)[1] ?? "";
  const columnNumber = (lines[lineNumber]?.indexOf(declaration) ?? 0) + declaration.indexOf("(");
  const callFrame = { functionName, url: pathToFileURL(path).href, lineNumber, columnNumber };
  const summary = summarizeProfile("a shard", await unbundle({ nodes: [{ id: 1, callFrame }], samples: [1], timeDeltas: [1_000] }));
  expect(summary.modules).toEqual([{ where: module, share: 1 }]);
  expect(summary.functions[0]?.where).toMatch(place);
});

it("what is in no bundle stays as it is", async () => {
  const callFrame = { functionName: "writev", url: "", lineNumber: 0, columnNumber: 0 };
  const profile = { nodes: [{ id: 1, callFrame }], samples: [1], timeDeltas: [1] };
  expect(await unbundle(profile)).toEqual(profile);
});
