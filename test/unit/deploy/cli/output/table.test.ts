import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { cut, fit, table } from "../../../../../deploy/cli/output/table.js";

interface Row {
  readonly name: string;
  readonly count: number | null;
}
const columns = [
  { title: "NAME", of: ({ name }: Row) => name },
  { title: "COUNT", of: ({ count }: Row) => count, align: "right" as const },
];

describe("table", () => {
  it("stands below its titles, numbers by their last digit, and what is not known is empty", () => {
    const rows = [
      { name: "a", count: 1 },
      { name: "long name", count: 1_000 },
      { name: "b", count: null },
    ];
    expect(table(columns, rows, undefined)).toBe("NAME       COUNT\na              1\nlong name   1000\nb");
  });
  it("takes wide characters for what they are", () => {
    const lines = table(
      columns,
      [
        { name: "你好 👋", count: 7 },
        { name: "abcdefg", count: 8 },
      ],
      undefined,
    ).split("\n");
    expect(new Set(lines.slice(1).map((line) => stringWidth(line))).size).toBe(1);
  });
  it("fits the terminal's width, and says where something is cut off", () => {
    const lines = table(columns, [{ name: "x".repeat(100), count: 12_345 }], 40).split("\n");
    expect(lines.map((line) => stringWidth(line) <= 40)).toEqual([true, true]);
    expect(lines[1]).toContain("…");
    expect(lines[1]).toContain("12345");
  });
  it("never cuts what is copied, and leaves out the last columns where there is no room for all", () => {
    const wide = [
      { title: "ID", of: () => "6b03a0f936cfe83fdf688a19", whole: true as const },
      ...["A", "B", "C"].map((title) => ({ title, of: () => "y".repeat(20) })),
    ];
    const at = (width: number): string[] => table(wide, [{}], width).split("\n");
    expect(at(200)[1]).toBe(`6b03a0f936cfe83fdf688a19${`  ${"y".repeat(20)}`.repeat(3)}`);
    expect(at(60)).toEqual([
      `ID                        A           B           C`,
      `6b03a0f936cfe83fdf688a19${`  ${"y".repeat(9)}…`.repeat(3)}`,
    ]);
    expect(at(59)[0]).toBe("ID                        A                B");
    expect(at(10)).toEqual(["ID", "6b03a0f936cfe83fdf688a19"]);
  });
  it("shows nothing that would command the terminal, and keeps a row on its line", () => {
    expect(table(columns, [{ name: "a\u001b[2J\nb\u202ec", count: 1 }], undefined).split("\n")[1]).toBe("a [2J b c      1");
  });
});

it.each([
  [[10, 10], 30, [10, 10]],
  [[30, 10], 30, [20, 10]],
  [[30, 30], 40, [20, 20]],
  [[30, 30], 2, [6, 6]],
])("widths %j in %i become %j", (natural, room, widths) => {
  expect(fit(natural, room)).toEqual(widths);
});

it.each([
  ["short", 10, "short"],
  ["exactly ten", 11, "exactly ten"],
  ["too long a text", 8, "too lon…"],
  ["你好世界", 5, "你好…"],
  ["👩‍👩‍👧 family", 4, "👩‍👩‍👧 …"],
])("%s in %i columns is %s", (text, width, shown) => {
  expect(cut(text, width)).toBe(shown);
});
