import type { Scenario } from "../scenario.js";
import { measureIdle } from "../shard/idle-sessions.js";
import { inspectable } from "../shard/shard-probe.js";

/** Measures CPU and memory of an idle session, with 5,000 sessions in one shard. */
export const telegramIdle: Scenario = {
  name: "telegram-idle",
  about: "Telegram sessions that nobody uses, in one shard",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  quick: "500 sessions, idle for 5 s",
  run: (gateway, _load, signal, size) =>
    measureIdle(
      gateway,
      {
        platform: "telegram",
        ...{ full: { sessions: 5_000, idleSeconds: 60 }, quick: { sessions: 500, idleSeconds: 5 } }[size],
        connectMs: 900_000,
      },
      signal,
    ),
};
