import { Api } from "telegram";
import { describe, expect, it } from "vitest";
import { withMentions } from "../../../../../shard/telegram/message/mentions.js";
import type { Peer } from "../../../../../shard/telegram/peers.js";

const find = (id: string): Promise<Peer | undefined> => Promise.resolve(id.startsWith("9") ? undefined : { id, accessHash: "7" });

async function places(message: string, mentions: readonly string[], entities?: Api.TypeMessageEntity[]): Promise<unknown[]> {
  const made = await withMentions({ message, ...(entities && { entities }) }, mentions, find);
  expect(made.message).toBe(message);
  return (made.entities ?? []).map(({ className, offset, length }) => [className, message.slice(offset, offset + length)]);
}

const mention = (text: string): unknown[] => ["InputMessageEntityMentionName", text];

describe("mentions in a text", () => {
  it.each<[string, string, string[], unknown[]]>([
    ["each place of an id", "@12 and 👋 @12!", ["12"], [mention("@12"), mention("@12")]],
    ["several people in the order of the text", "@34 @12", ["12", "34"], [mention("@34"), mention("@12")]],
    ["no longer number", "@123 12 @1", ["12"], []],
    ["nobody who is not listed", "@12", ["34"], []],
    ["nobody whom the account has not met", "@91 @12", ["91", "12"], [mention("@12")]],
    ["nothing without a place", "hello", ["12"], []],
  ])("are %s", async (_, text, mentions, expected) => {
    expect(await places(text, mentions)).toEqual(expected);
  });

  it("follow the formatting, and are 100 with it at most", async () => {
    const bold = new Api.MessageEntityBold({ offset: 0, length: 3 });
    expect(await places("@12 x", ["12"], [bold])).toEqual([["MessageEntityBold", "@12"], mention("@12")]);
    expect(await places("@12 ".repeat(150), ["12"], [bold])).toHaveLength(100);
  });
});
