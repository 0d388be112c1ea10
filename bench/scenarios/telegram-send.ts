import { setTimeout as sleep } from "node:timers/promises";
import { meetAll, sendFigures, sendRound, type SendRound } from "../load/send-round.js";
import { StoredLogins } from "../logins/stored-logins.js";
import type { Scenario } from "../scenario.js";
import { inspectable, ShardProbe } from "../shard/shard-probe.js";

/**
 * Measures sends a second of one shard. Each session sends one message after the other to known phone numbers of other sessions' accounts.
 */
export const telegramSend: Scenario = {
  name: "telegram-send",
  about: "POST /message, texts by phone number, one shard",
  quick: "2 rounds of 5 s",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  async run(gateway, load, signal, size) {
    const { roundCount, seconds } = sizes[size];
    const count = sessionCount;
    const store = await StoredLogins.open(gateway);
    try {
      const logins = await store.add("telegram", count);
      const probe = new ShardProbe(gateway);
      await probe.restart();
      await store.connected(logins, 120_000, signal);
      await sleep(settleMs, undefined, { signal });
      const recipients = logins.map((_, index) =>
        Array.from({ length: metContacts }, (__, n) => logins[(index + n + 1) % count]?.phone ?? ""),
      );
      await meetAll(logins, recipients);
      const rounds: SendRound[] = [];
      for (let round = 0; round < roundCount; round++)
        rounds.push(await sendRound({ gateway, platform: "telegram", load, probe, logins, seconds, recipients }));
      return {
        figures: sendFigures("to people known by phone", rounds, `${roundCount} rounds of ${seconds} s, ${count} sessions at once`),
        notes: [
          `${count} sessions that write to each other: each message is an update of another session of the same shard`,
          "sandbox, router, Redis, load and shard share the machine's cores",
          "values over rounds are the median (least–most)",
        ],
      };
    } finally {
      store.close();
    }
  },
};

const sessionCount = 40;
const metContacts = 4;
const sizes = { full: { roundCount: 5, seconds: 8 }, quick: { roundCount: 2, seconds: 5 } };
const settleMs = 3_000;
