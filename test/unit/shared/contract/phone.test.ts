import { describe, expect, it } from "vitest";
import { tidyPhone } from "../../../../shared/contract/phone.js";

describe("tidyPhone", () => {
  it.each<[string, string | undefined]>([
    ["4915112345678", "4915112345678"],
    ["+49 151 1234-5678", "4915112345678"],
    ["0049 151 12345678", "4915112345678"],
    ["00 49-151-12345678", "4915112345678"],
    [" +4915112345678 ", "4915112345678"],
    ["12345", "12345"],
    ["123456789012345", "123456789012345"],
    ["1234567890123456", undefined],
    ["1234", undefined],
    ["", undefined],
    ["+", undefined],
    ["++4915112345678", undefined],
    ["49+15112345678", undefined],
    ["49151x2345678", undefined],
    ["4915112345678@s.whatsapp.net", undefined],
    ["4915112345678:7", undefined],
    ["٤٩١٥١١٢٣٤", undefined],
    ["49151\n12345678", undefined],
    [`49151${" ".repeat(100)}12345678`, undefined],
  ])("%j -> %s", (text, digits) => {
    expect(tidyPhone(text)).toBe(digits);
  });
});
