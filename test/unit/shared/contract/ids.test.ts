import { expect, it } from "vitest";
import { newCommandId } from "../../../../shared/contract/ids.js";

it("each command has an id of its own, of 24 hex digits", () => {
  const ids = Array.from({ length: 2_000 }, newCommandId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/);
});
