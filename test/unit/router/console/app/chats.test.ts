import { describe, expect, it } from "vitest";
import { bytesText } from "../../../../../router/console/app/ui/bytes-text.js";
import { foundIn } from "../../../../../router/console/app/pages/session/chats/found-in.js";

describe("searching a list", () => {
  it.each([
    ["", true],
    ["  ", true],
    ["ALICE", true],
    ["+1 (555) 010-0001", true],
    ["0001", true],
    ["bob", false],
    ["()", false],
  ])("%j: %s", (q, found) => {
    expect(foundIn(q, ["Alice Liddell", "15550100001"])).toBe(found);
  });
});

describe("the text of a size", () => {
  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1536, "1.5 KiB"],
    [64 * 1024 * 1024, "64.0 MiB"],
    [500 * 1024 ** 2, "500 MiB"],
    [5 * 1024 ** 4, "5120 GiB"],
  ])("of %i bytes: %s", (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });
});
