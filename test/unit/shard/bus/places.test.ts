import { expect, it } from "vitest";
import { Places } from "../../../../shard/bus/places.js";

it("gives a session no more than its share, and a command that may have begun a place in any case", () => {
  const places = new Places({ most: () => 4, tenantOf: () => "default", isShared: () => false });
  const taken = [true, true, true, false].map((refusable) => places.take("s1", refusable) !== undefined);
  expect(taken).toEqual([true, true, false, true]);
});

it("gives a place back once", () => {
  const places = new Places({ most: () => 2, tenantOf: () => "default", isShared: () => false });
  const release = places.take("s1", true);
  expect(places.take("s1", true)).toBeUndefined();
  release?.();
  expect(places.take("s1", true)).toBeTypeOf("function");
});
