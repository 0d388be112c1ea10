import type { Scenario } from "../scenario.js";
import { measureIdle } from "../shard/idle-sessions.js";
import { inspectable } from "../shard/shard-probe.js";

/** Measures CPU and memory of an idle session, with 2,000 sessions in one shard. */
export const whatsappIdle: Scenario = {
  name: "whatsapp-idle",
  about: "WhatsApp sessions that nobody uses, in one shard",
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  quick: "200 sessions, idle for 5 s",
  run: (gateway, _load, signal, size) =>
    measureIdle(
      gateway,
      {
        platform: "whatsapp",
        ...{ full: { sessions: 2_000, idleSeconds: 60 }, quick: { sessions: 200, idleSeconds: 5 } }[size],
        connectMs: 900_000,
      },
      signal,
    ),
};
