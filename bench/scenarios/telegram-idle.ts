import type { Scenario } from "../scenario.js";
import { measureIdle } from "../shard/idle-sessions.js";
import { inspectable } from "../shard/shard-probe.js";

/** Issue 4: CPU and memory of an idle session at 5,000 sessions in one shard. */
export const telegramIdle: Scenario = {
  name: "telegram-idle",
  about: "Telegram sessions that nobody uses, 5,000 in one shard",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  run: (gateway, _load, signal) => measureIdle(gateway, { platform: "telegram", sessions: 5_000, connectMs: 900_000 }, signal),
};
