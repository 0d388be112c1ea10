import { Api } from "telegram";
import { describe, expect, it } from "vitest";
import type { Client } from "../../../../../shard/telegram/client.js";
import { readLostEdits } from "../../../../../shard/telegram/updates/read-lost-edits.js";

const never = new AbortController().signal;
const position = { user: "1", pts: 1, qts: 0, date: 0, seq: 0 };

/** Returns a client that finds no messages and records the requested ids of each call. */
function recordingClient(): { client: Client; calls: number[][] } {
  const calls: number[][] = [];
  const invoke = (request: Api.messages.GetMessages): Promise<Api.messages.Messages> => {
    calls.push(request.id.map((one) => (one instanceof Api.InputMessageID ? one.id : 0)));
    return Promise.resolve(new Api.messages.Messages({ messages: [], chats: [], users: [] }));
  };
  return { client: { invoke } as unknown as Client, calls };
}

/** A log that remembers the messages for which `is` returns true. */
const remembering = (is: (id: number) => boolean): { chatsOf: (ids: readonly string[]) => Promise<(string | undefined)[]> } => ({
  chatsOf: (ids) => Promise.resolve(ids.map((id) => (is(Number(id)) ? "7" : undefined))),
});

describe("readLostEdits", () => {
  it("reads the newest thousand messages that are remembered, a hundred by a call", async () => {
    const { client, calls } = recordingClient();
    await readLostEdits(
      client,
      { ...position, newest: 90_000 },
      remembering((id) => id % 3 === 0),
      never,
    );
    expect(calls.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 100));
    expect([calls[0]?.[0], calls[9]?.[99]]).toEqual([90_000, 90_000 - 999 * 3]);
  });

  it("scans only the last 5,000 ids, and sends no request when none is remembered", async () => {
    const { client, calls } = recordingClient();
    await readLostEdits(
      client,
      { ...position, newest: 90_000 },
      remembering((id) => id <= 85_001),
      never,
    );
    expect(calls).toEqual([[85_001]]);
    await readLostEdits(
      client,
      { ...position, newest: 90_000 },
      remembering((id) => id <= 85_000),
      never,
    );
    await readLostEdits(
      client,
      { ...position, newest: 0 },
      remembering(() => true),
      never,
    );
    expect(calls).toHaveLength(1);
  });
});
