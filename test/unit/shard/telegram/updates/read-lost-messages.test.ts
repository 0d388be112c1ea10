import { Api } from "telegram";
import { describe, expect, test } from "vitest";
import type { Client } from "../../../../../shard/telegram/client.js";
import { readHistory } from "../../../../../shard/telegram/updates/read-lost-messages.js";
import { aMessage } from "./packets.js";

const { signal } = new AbortController();

/** A chat with the messages 1 to `newest` that shows no message whose id ends in 0, which makes pages shorter than requested. */
function chatTo(newest: number): { client: Client; calls: number[] } {
  const calls: number[] = [];
  const invoke = ({ offsetId, limit }: Api.messages.GetHistory): Promise<Api.messages.MessagesSlice> => {
    calls.push(offsetId);
    const start = offsetId === 0 ? newest : offsetId - 1;
    const ids = Array.from({ length: Math.min(limit, start) }, (_, at) => start - at).filter((id) => id % 10 !== 0);
    const messages = ids.map((id) => aMessage({ id }));
    return Promise.resolve(new Api.messages.MessagesSlice({ count: newest, messages, chats: [], users: [] }));
  };
  return { client: { invoke } as unknown as Client, calls };
}

describe("the lost messages of a chat", () => {
  test("come from all pages, although each is shorter than requested", async () => {
    const { client, calls } = chatTo(300);
    const { messages } = await readHistory(client, new Api.InputPeerSelf(), { newest: 95, date: 0 }, 1_000, signal);
    expect(messages.map(({ id }) => id)).toEqual(Array.from({ length: 205 }, (_, at) => 300 - at).filter((id) => id % 10 !== 0));
    expect(calls).toEqual([0, 201, 101]);
  });

  test("need one call if the first page reaches a message from before", async () => {
    const { client, calls } = chatTo(300);
    const { messages } = await readHistory(client, new Api.InputPeerSelf(), { newest: 297, date: 0 }, 1_000, signal);
    expect(messages.map(({ id }) => id)).toEqual([299, 298]);
    expect(calls).toEqual([0]);
  });
});
