import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Progress } from "../../../../../deploy/cli/live-check/progress.js";
import { redacted } from "../../../../../deploy/cli/live-check/redacted.js";
import { reportOf } from "../../../../../deploy/cli/live-check/report.js";

describe("an error in a report", () => {
  it.each([
    ["session not connected (500)", "session not connected (500)"],
    [
      "404: item-not-found (the platform does not know this chat or person)",
      "404: item-not-found (the platform does not know this chat or person)",
    ],
    ["send timeout after 240s", "send timeout after 240s"],
    ['no session matches "shop of Bob"', "no session matches …"],
    ["no answer from http://10.0.0.7:8080 (refused)", "no answer from … (refused)"],
    ["6281155501002:3@s.whatsapp.net is gone", "… is gone"],
    ["+49 (151) 1234-5678 is not on telegram", "… is not on telegram"],
    ["session 6b03a372332cad10dac0b152 is gone", "session … is gone"],
    ["@bob_sandbox is nobody", "… is nobody"],
    ["request 84f34bd12a82ccec3a23257525297d6c", "request …"],
  ])("%s", (sentence, shown) => expect(redacted(sentence)).toBe(shown));
});

describe("a report", () => {
  it("has a row for each step, those that were not reached too", () => {
    const facts = { version: "1.2.3", node: "20.0.0", system: "linux x64", on: "the live platforms", day: "2026-11-23" } as const;
    const text = reportOf(facts, [
      ["whatsapp: login", { outcome: "passed", ms: 12_340, finding: "connected" }],
      ["whatsapp: typing", { outcome: "failed", ms: 5, finding: "a | b\nc" }],
      ["telegram: login", undefined],
    ]);
    expect(text.split("\n")).toEqual([
      "# Live check of Trunkline 1.2.3",
      "",
      "On the live platforms, 2026-11-23; Node 20.0.0, linux x64. No number, name, text or id is in this file.",
      "",
      "| step | outcome | took | found |",
      "|---|---|---|---|",
      "| whatsapp: login | passed | 12.3 s | connected |",
      "| whatsapp: typing | failed | 0.0 s | a \\| b c |",
      "| telegram: login | not reached | | |",
      "",
    ]);
  });
});

describe("progress", () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "progress-"))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("is there again after each step; what failed is not done", () => {
    const file = join(folder, "one.json");
    const first = Progress.in(file, false);
    first.loggedIn("whatsapp", "5");
    first.note("a", { outcome: "passed", ms: 1, finding: "" });
    first.note("b", { outcome: "failed", ms: 1, finding: "" });
    first.note("c", { outcome: "left out", ms: 1, finding: "" });
    const next = Progress.in(file, false);
    expect([next.session("whatsapp"), next.session("telegram")]).toEqual(["5", undefined]);
    expect(["a", "b", "c", "d"].map((key) => next.isDone(key))).toEqual([true, false, true, false]);
    expect(Progress.in(file, true).isDone("a")).toBe(false);
  });

  it("that cannot be read is said, and left as it is", () => {
    const file = join(folder, "other.json");
    writeFileSync(file, '{"sessions":5}');
    expect(() => Progress.in(file, false)).toThrow("is no progress of live-check");
    expect(readFileSync(file, "utf8")).toBe('{"sessions":5}');
  });
});
