import { SourceMap } from "node:module";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const { linesOnly } = (await import(resolve(import.meta.dirname, "../../../../deploy/setup/line-map.mjs"))) as {
  linesOnly(mappings: string): string;
};

const payload = (mappings: string) => ({
  version: 3,
  file: "",
  sources: ["a.ts", "b.ts"],
  sourcesContent: [],
  names: ["x"],
  sourceRoot: "",
  mappings,
});
/** Source and line of a position of the program. */
const place = (mappings: string, line: number, column: number): unknown => {
  const entry = new SourceMap(payload(mappings)).findEntry(line, column);
  return "originalSource" in entry ? [entry.originalSource, entry.originalLine] : undefined;
};

it("keeps the first position of each line, and drops columns and names", () => {
  // Line 0: a.ts 0:0, 0:4 (with a name) and 0:8. Line 1: a.ts 1:0 and 1:2.
  expect(linesOnly("AAAA,IAAIA,IAAI;AACR,EAAE")).toBe("AAAA;AACA");
});

it("keeps every line of a source that stands in one line of the program", () => {
  const full = "AAAA,IACE,IACA;ACAA,KAAKA,MAEP";
  const thin = linesOnly(full);
  for (const [line, column] of [
    [0, 0],
    [0, 5],
    [0, 9],
    [1, 0],
    [1, 7],
    [1, 20],
  ] as const)
    expect(place(thin, line, column)).toEqual(place(full, line, column));
});

it("keeps segments without a source, and empty lines", () => {
  expect(linesOnly("AAAA,E,GAAA;;;AACA")).toBe("AAAA,E,GAAA;;;AACA");
});
