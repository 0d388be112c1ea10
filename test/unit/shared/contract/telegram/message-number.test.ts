import { describe, expect, it } from "vitest";
import { messageNumber } from "../../../../../shared/contract/telegram/message-number.js";

describe("messageNumber", () => {
  it.each([
    ["1", 1],
    ["999999999", 999_999_999],
    ["1000000000", 1_000_000_000],
    ["2147483647", 2_147_483_647],
  ])("reads %s", (text, id) => {
    expect(messageNumber(text)).toBe(id);
  });

  it.each(["", "0", "01", "-1", "1.5", "2147483648", "99999999999", "1 ", "abc"])("rejects %j", (text) => {
    expect(messageNumber(text)).toBeUndefined();
  });
});
