import { expect, it } from "vitest";
import { defaultTiming } from "../../../shard/telegram/timing.js";
import { costsOfText, texts, type MessageCosts } from "./message-costs.js";

/** Returns the costs of a text without the positions of both accounts, which are not stored with each text. */
async function costsOfEachText(allInOne: boolean): Promise<MessageCosts> {
  const startedAt = performance.now();
  const { router, shard } = await costsOfText({ platform: "telegram", accounts: ["alice", "carol"], allInOne });
  // While no webhook is set, each of both accounts stores its position at intervals, however many texts come.
  const { "shard/session/store/advance": positions = 0, ...eachText } = shard;
  const intervals = (performance.now() - startedAt) / defaultTiming.positionMs + 1;
  expect(positions).toBeLessThanOrEqual(Math.ceil((2 * intervals) / texts));
  return { router, shard: eachText };
}

it("one text between two Telegram sessions of a gateway costs these Redis commands", async () => {
  expect(await costsOfEachText(false)).toEqual({
    router: { "hmget session": 1, "router/bus/enqueue": 1, "xread replies": 1 },
    shard: {
      "shard/bus/begin": 1,
      "shard/bus/finish": 1,
      "xadd replies": 1,
      "xdel commands": 1,
      "xread commands": 1,
    },
  });
});

it("and this one, where router and shard share a process", async () => {
  expect(await costsOfEachText(true)).toEqual({ router: { "hmget session": 1 }, shard: {} });
});
