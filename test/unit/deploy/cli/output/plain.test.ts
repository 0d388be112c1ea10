import { expect, it } from "vitest";
import { plain, safe, safeJson } from "../../../../../deploy/cli/output/plain.js";
import { Screen } from "../../../../../deploy/cli/output/screen.js";

/** Window titles, C1 controls, and characters that change the text direction. */
const hostile = [
  "\u001b]0;owned\u0007",
  "\u009b31m",
  "\u0090q\u009c",
  "a\u202eb",
  "a\u2066b",
  "a\u061cb",
  "a\u200fb",
  "a\u2028b",
  "\u007f",
  "a\rb",
  "\u001b[2J",
];
const isSafe = (text: string): boolean =>
  !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(text);

it.each(hostile)("%j is no command to a terminal, in JSON as in words", (text) => {
  const document = { name: text, list: [text], [text]: 1 };
  for (const indent of [undefined, 2]) {
    expect(JSON.parse(safeJson(document, indent))).toEqual(document);
    expect(isSafe(safeJson(document, indent))).toBe(true);
  }
  expect(isSafe(safe(`trunkline: ${text} (404)`))).toBe(true);
  expect(isSafe(plain(text))).toBe(true);
});

it("keeps lines, indents and colours of our own text", () => {
  const words = "one\n\ttwo \u001b[31mred\u001b[39m Ünïcödé 👋";
  expect(safe(words)).toBe(words);
});

it.each([true, false])("nothing that is shown or said gets around it, with json %s", (json) => {
  let told = "";
  const out = { write: (text: string) => (told += text) };
  const screen = new Screen(out, out, json, false);
  for (const text of hostile) {
    screen.show({ text }, () => text);
    screen.showLine({ text }, () => text);
    screen.line(text);
    screen.say(text);
    screen.progress(text);
  }
  expect(isSafe(told)).toBe(true);
});
