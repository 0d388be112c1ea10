import { describe, expect, it } from "vitest";
import { noneMatch, rangeApplies, selectRange, type Selection } from "../../../../router/http/range.js";

const whole: Selection = { kind: "whole" };
const unsatisfiable: Selection = { kind: "unsatisfiable" };
const part = (start: number, end: number): Selection => ({ kind: "part", start, end });

describe("selectRange of a file of 1,000 bytes", () => {
  it.each<[string | undefined, Selection]>([
    [undefined, whole],
    ["bytes=0-0", part(0, 0)],
    ["bytes=0-999", part(0, 999)],
    ["bytes=0-1000", part(0, 999)],
    ["bytes=10-20", part(10, 20)],
    ["bytes=999-999", part(999, 999)],
    ["bytes=500-", part(500, 999)],
    ["bytes=0-", part(0, 999)],
    ["bytes=-1", part(999, 999)],
    ["bytes=-1000", part(0, 999)],
    ["bytes=-1001", part(0, 999)],
    ["bytes=-9999999999999999999", part(0, 999)],
    ["bytes=00010-00020", part(10, 20)],
    ["BYTES=10-20", part(10, 20)],
    ["bytes=0-9999999999999999999", part(0, 999)],
    ["bytes=-0", unsatisfiable],
    ["bytes=1000-", unsatisfiable],
    ["bytes=1000-1000", unsatisfiable],
    ["bytes=9999999999999999998-9999999999999999999", unsatisfiable],
    ["bytes=20-10", whole],
    ["bytes=9999999999999999999-9999999999999999998", whole],
    ["bytes=a-b", whole],
    ["bytes=1-b", whole],
    ["bytes=-", whole],
    ["bytes=", whole],
    ["bytes", whole],
    ["", whole],
    ["bytes=+1-2", whole],
    ["bytes=1.5-2", whole],
    ["bytes=0x1-0x2", whole],
    ["bytes= 1-2", whole],
    ["bytes=--1", whole],
    ["items=0-1", whole],
    ["bytes=0-1,5-6", whole],
    ["bytes=0-1,", whole],
    ["bytes=10000000000000000000-", whole],
    [`bytes=${"0".repeat(200)}1-2`, whole],
    ["bytes=١-٢", whole],
  ])("%s", (header, expected) => {
    expect(selectRange(header, 1000)).toEqual(expected);
  });
});

it.each<[string | undefined, Selection]>([
  [undefined, whole],
  ["bytes=0-", unsatisfiable],
  ["bytes=0-0", unsatisfiable],
  ["bytes=-1", unsatisfiable],
  ["bytes=1-0", whole],
])("an empty file with %s", (header, expected) => {
  expect(selectRange(header, 0)).toEqual(expected);
});

it.each<[string[] | undefined, boolean]>([
  [undefined, false],
  [['"abc"'], true],
  [['W/"abc"'], true],
  [['"x", "abc"'], true],
  [['"x"', '"abc"'], true],
  [["*"], true],
  [["abc"], false],
  [['"abcd"'], false],
  [['"x"', '"y"'], false],
])("If-None-Match %j", (fields, expected) => {
  expect(noneMatch(fields, "abc")).toBe(expected);
});

it.each<[string[] | undefined, boolean]>([
  [undefined, true],
  [['"abc"'], true],
  [['W/"abc"'], false],
  [['"x"'], false],
  [["Sat, 21 Nov 2026 08:00:00 GMT"], false],
  [['"abc"', '"abc"'], false],
])("If-Range %j", (fields, expected) => {
  expect(rangeApplies(fields, "abc")).toBe(expected);
});
