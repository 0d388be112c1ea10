import { describe, expect, it } from "vitest";
import { listWindow } from "../../../../../router/console/app/ui/list-window.js";

describe("the rows of a long list that are drawn", () => {
  it.each([
    ["at the beginning", 0, 10_000, 0, 14],
    ["in the middle", 50_000, 10_000, 996, 1014],
    ["at the end", 499_500, 10_000, 9986, 10_000],
    ["scrolled past the end, as when rows went meanwhile", 499_500, 100, 100, 100],
    ["pulled above the top", -80, 10_000, 0, 14],
    ["of none", 0, 0, 0, 0],
    ["of fewer than fit", 0, 3, 0, 3],
  ])("%s", (_, scrollTop, count, first, end) => {
    expect(listWindow({ scrollTop, viewHeight: 500, rowHeight: 50, count, spare: 4 })).toEqual({ first, end });
  });
});
