import { describe, expect, it } from "vitest";
import { listWindow } from "../../../../../router/console/app/ui/list-window.js";

describe("the rendered rows of a long list", () => {
  it.each([
    ["at the beginning", 0, 10_000, 0, 14],
    ["in the middle", 50_000, 10_000, 996, 1014],
    ["at the end", 499_500, 10_000, 9986, 10_000],
    ["scrolled past the end, because rows were removed", 499_500, 100, 100, 100],
    ["scrolled above the top", -80, 10_000, 0, 14],
    ["without rows", 0, 0, 0, 0],
    ["with fewer rows than fit", 0, 3, 0, 3],
  ])("%s", (_, scrollTop, count, first, end) => {
    expect(listWindow({ scrollTop, viewHeight: 500, rowHeight: 50, count, spare: 4 })).toEqual({ first, end });
  });
});
