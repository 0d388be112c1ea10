import { Api } from "telegram";
import { describe, expect, test } from "vitest";
import { readHistory } from "../../../../../shard/telegram/chats/read-history.js";
import type { Client } from "../../../../../shard/telegram/client.js";
import { aMessage } from "../updates/packets.js";

const { signal } = new AbortController();

/** A channel with the messages 1 to 300 that shows only messages for which `shows` is true, which makes pages shorter than requested. */
function channelWith(shows: (id: number) => boolean): { client: Client; calls: number[] } {
  const calls: number[] = [];
  const invoke = ({ offsetId, limit }: Api.messages.GetHistory): Promise<Api.messages.ChannelMessages> => {
    calls.push(offsetId);
    const newest = offsetId === 0 ? 300 : offsetId - 1;
    const ids = Array.from({ length: Math.min(limit, newest) }, (_, at) => newest - at).filter(shows);
    const messages = ids.map((id) => aMessage({ id }));
    return Promise.resolve(new Api.messages.ChannelMessages({ pts: 1, count: 300, messages, topics: [], chats: [], users: [] }));
  };
  return { client: { invoke } as unknown as Client, calls };
}

describe("readHistory", () => {
  test("goes on behind a page that is shorter than requested", async () => {
    const { client } = channelWith((id) => id % 10 !== 0);
    const first = await readHistory(client, new Api.InputPeerSelf(), { limit: 100, before: 0 }, signal);
    expect(first.messages.map(({ id }) => id)).toEqual(
      Array.from({ length: 112 }, (_, at) => 300 - at)
        .filter((id) => id % 10 !== 0)
        .slice(0, 100),
    );
    expect(first.hasMore).toBe(true);
  });

  test("ends where the platform has no more", async () => {
    const { client, calls } = channelWith((id) => id > 20 && id % 10 !== 0);
    const { messages, hasMore } = await readHistory(client, new Api.InputPeerSelf(), { limit: 100, before: 31 }, signal);
    expect({ last: messages.at(-1)?.id, count: messages.length, hasMore }).toEqual({ last: 21, count: 9, hasMore: false });
    expect(calls).toEqual([31, 21]);
  });

  test("needs one call for a chat that the platform returns as a whole", async () => {
    let calls = 0;
    const invoke = (): Promise<Api.messages.Messages> => {
      calls += 1;
      return Promise.resolve(new Api.messages.Messages({ messages: [aMessage({ id: 2 }), aMessage({ id: 1 })], chats: [], users: [] }));
    };
    const client = { invoke } as unknown as Client;
    const { messages, hasMore } = await readHistory(client, new Api.InputPeerSelf(), { limit: 50, before: 0 }, signal);
    expect({ count: messages.length, hasMore, calls }).toEqual({ count: 2, hasMore: false, calls: 1 });
  });
});
