import { describe, expect, it } from "vitest";
import type { MediaAddress } from "../../../../shared/contract/media.js";
import { isConnected, isLoggedIn, mustReadAgain } from "../../../../router/media/media-freshness.js";

const minuteMs = 60_000;
const inPrivate: MediaAddress = { chatId: "42", messageId: "1", variant: "file" };
const inGroup: MediaAddress = { chatId: "-4200", messageId: "1", variant: "photo" };
const inChannel: MediaAddress = { chatId: "-1000000004200", messageId: "1", variant: "thumb" };
const ofChannel: MediaAddress = { ...inChannel, variant: "profile" };

describe("mustAskAgain", () => {
  it.each<[string, MediaAddress, number, boolean]>([
    ["in a private chat", inPrivate, 5 * minuteMs - 1, false],
    ["in a private chat", inPrivate, 5 * minuteMs, true],
    ["in a basic group", inGroup, minuteMs, false],
    ["in a basic group", inGroup, 5 * minuteMs, true],
    ["in a channel", inChannel, minuteMs - 1, false],
    ["in a channel", inChannel, minuteMs, true],
    ["a channel's own picture", ofChannel, minuteMs, false],
    ["a channel's own picture", ofChannel, 5 * minuteMs, true],
  ])("%s %o described %i ms ago: %s", (_, address, ageMs, again) => {
    expect(mustReadAgain({ address, ageMs }, true)).toBe(again);
    // A session that is not connected cannot query the platform.
    expect(mustReadAgain({ address, ageMs }, false)).toBe(false);
  });
});

describe("isLoggedIn and isConnected", () => {
  it.each([
    ["awaiting-qr", true, false, false],
    ["awaiting-password", true, false, false],
    ["connected", true, true, true],
    ["connected", false, true, false],
    ["disconnected", true, true, false],
    ["deleted", true, false, false],
  ] as const)("%s, its owner lives %s", (kind, active, loggedIn, connected) => {
    expect([isLoggedIn({ kind }), isConnected({ kind, active })]).toEqual([loggedIn, connected]);
  });
});
