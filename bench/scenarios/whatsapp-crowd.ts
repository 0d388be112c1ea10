import type { Scenario } from "../scenario.js";
import { crowdBars, crowdSizes, measureCrowd } from "../shard/idle-crowd.js";
import { inspectable } from "../shard/shard-probe.js";

/** Measures whether the cost of a WhatsApp session stays the same up to 10,000 in one shard. */
export const whatsappCrowd: Scenario = {
  name: "whatsapp-crowd",
  about: "up to 10,000 WhatsApp sessions that nobody uses, in one shard, and their way back after a restart",
  bars: crowdBars,
  gateway: { shards: 1, env: { SANDBOX_LOAD: "1", ...inspectable } },
  quick: "50, 100 and 300 sessions, idle for 3 s",
  run: (gateway, _load, signal, size) => measureCrowd(gateway, { platform: "whatsapp", ...crowdSizes[size] }, signal),
};
