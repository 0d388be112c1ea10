import { expect, it } from "vitest";
import { countText } from "../../../../../router/console/app/ui/count-text.js";

it.each([
  [0, "0 sessions"],
  [1, "1 session"],
  [2_500, "2,500 sessions"],
])("shows the count %i with its noun", (count, text) => {
  expect(countText(count, ["session", "sessions"])).toBe(text);
});

it("adds a plus sign if there are more", () => {
  expect(countText(100, ["key", "keys"], true)).toBe("100+ keys");
  expect(countText(1, ["key", "keys"], true)).toBe("1+ keys");
});
