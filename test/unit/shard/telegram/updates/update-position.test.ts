import { expect, test } from "vitest";
import { buildCursor, parseCursor } from "../../../../../shard/telegram/updates/update-position.js";

const position = { user: "700000001", pts: 1, qts: 2, date: 3, seq: 4, newest: 5 };

test("a cursor comes back as it was, without names of fields", () => {
  const text = buildCursor(position);
  expect(text).toBe('["700000001",1,2,3,4,5]');
  expect(parseCursor(text)).toEqual(position);
});

test.each(["", "x", "{}", '{"user":"1","pts":1,"qts":0,"date":0,"seq":0,"newest":0}', '["1",1,0,0,0]', '["1","1",0,0,0,0]'])(
  "%s is none",
  (text) => {
    expect(parseCursor(text)).toBeUndefined();
  },
);
