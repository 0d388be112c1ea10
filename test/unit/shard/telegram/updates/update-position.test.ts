import { expect, test } from "vitest";
import { generationsSchema } from "../../../../../shared/schema/schema-version.js";
import { buildCursor, parseCursor } from "../../../../../shard/telegram/updates/update-position.js";

const position = { user: "700000001", pts: 1, qts: 2, date: 3, seq: 4, newest: 5 };

test.each([
  ["as before schema 4", { written: generationsSchema - 1 }, '{"v":1,"user":"700000001","pts":1,"qts":2,"date":3,"seq":4,"newest":5}'],
  ["short", { written: generationsSchema }, '["700000001",1,2,3,4,5]'],
])("a cursor comes back as it was, written %s", (_, schema, text) => {
  expect(buildCursor(position, schema)).toBe(text);
  expect(parseCursor(text)).toEqual(position);
});

test.each([
  "",
  "x",
  "{}",
  '{"v":2,"user":"1","pts":1,"qts":0,"date":0,"seq":0,"newest":0}',
  '{"v":1,"user":"1","pts":"1","qts":0,"date":0,"seq":0,"newest":0}',
  '["1",1,0,0,0]',
  '["1","1",0,0,0,0]',
])("%s is none", (text) => {
  expect(parseCursor(text)).toBeUndefined();
});
