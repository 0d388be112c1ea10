import type { Scenario } from "../scenario.js";
import { measureIdle } from "../shard/idle-sessions.js";
import { inspectable } from "../shard/shard-probe.js";

/** Issue 3: CPU and memory of an idle session at 2,000 sessions in one shard. */
export const whatsappIdle: Scenario = {
  name: "whatsapp-idle",
  about: "WhatsApp sessions that nobody uses, 2,000 in one shard",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  run: (gateway, _load, signal) => measureIdle(gateway, { platform: "whatsapp", sessions: 2_000, connectMs: 900_000 }, signal),
};
