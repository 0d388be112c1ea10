import { describe, expect, it } from "vitest";
import { isGroupId, isNewsletterId } from "../../../../../shared/contract/whatsapp/address.js";

describe("ids", () => {
  it.each<[string, boolean, boolean]>([
    ["120363041234567890@g.us", true, false],
    ["4915112345678-1600000000@g.us", true, false],
    ["120363041234567890@newsletter", false, true],
    ["120363041234567890", false, false],
    ["@g.us", false, false],
    ["@newsletter", false, false],
    ["1@g.us@newsletter", false, false],
    ["1@g.us ", false, false],
    ["1@g.us\n", false, false],
    ["4915112345678@s.whatsapp.net", false, false],
    ["1:2@g.us", false, false],
    [`${"1".repeat(65)}@g.us`, false, false],
    ["1@gxus", false, false],
  ])("%j", (text, group, newsletter) => {
    expect([isGroupId(text), isNewsletterId(text)]).toEqual([group, newsletter]);
  });
});
