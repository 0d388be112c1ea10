import { expect, it } from "vitest";
import { countText } from "../../../../../router/console/app/ui/count-text.js";

it.each([
  [0, "0 sessions"],
  [1, "1 session"],
  [2_500, `${(2_500).toLocaleString()} sessions`],
])("%i", (count, text) => {
  expect(countText(count, ["session", "sessions"])).toBe(text);
});
