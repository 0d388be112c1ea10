/**
 * Exports everything that a gateway in a test's own process needs (`cluster.ts`). The build bundles it into one file, because loading the
 * modules one by one costs each worker seconds of CPU.
 */
export { readRouterSettings } from "../../router/config.js";
export { buildRouter } from "../../router/router.js";
export { LocalBus } from "../../shared/bus/local-bus.js";
export { readShardSettings } from "../../shard/config.js";
export { buildShard } from "../../shard/shard.js";
export { startSandbox } from "../sandbox/sandbox.js";
