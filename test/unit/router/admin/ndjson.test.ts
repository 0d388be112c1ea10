import { expect, it } from "vitest";
import { acceptsNdjson } from "../../../../router/admin/ndjson.js";

const lines = "application/x-ndjson";

it.each<[string | undefined, boolean]>([
  [undefined, false],
  ["", false],
  ["*/*", false],
  ["application/json", false],
  [lines, true],
  ["Application/X-NDJSON", true],
  [`application/json, ${lines}`, true],
  [`${lines};q=0.5, */*;q=0.1`, true],
  [`${lines};q=0`, false],
  [`${lines};q=0.5, application/json`, false],
  [`${lines};q=2`, false],
  [`${lines}-seq`, false],
  [`text/plain;x=${lines}`, false],
])("Accept: %s: %s", (accept, isAccepted) => {
  const headers = { get: () => (accept === undefined ? undefined : [accept]), has: () => accept !== undefined };
  expect(acceptsNdjson({ headers })).toBe(isAccepted);
});
