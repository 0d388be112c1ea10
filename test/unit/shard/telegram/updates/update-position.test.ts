import { expect, test } from "vitest";
import { buildCursor, parseCursor } from "../../../../../shard/telegram/updates/update-position.js";

test("a cursor comes back as it was", () => {
  const position = { user: "700000001", pts: 1, qts: 2, date: 3, seq: 4, newest: 5 };
  expect(parseCursor(buildCursor(position))).toEqual(position);
});

test.each([
  "",
  "x",
  "{}",
  '{"v":2,"user":"1","pts":1,"qts":0,"date":0,"seq":0,"newest":0}',
  '{"v":1,"user":"1","pts":"1","qts":0,"date":0,"seq":0,"newest":0}',
])("%s is none", (text) => {
  expect(parseCursor(text)).toBeUndefined();
});
