/**
 * What gateways in a test's own process are made of (`cluster.ts`). The build makes one file of it and of all that it imports, as of each process's main file: a worker
 * that finds, reads and links the modules one by one spends seconds of processor on it.
 */
export { readRouterSettings } from "../../router/config.js";
export { buildRouter } from "../../router/router.js";
export { readShardSettings } from "../../shard/config.js";
export { buildShard } from "../../shard/shard.js";
export { startSandbox } from "../sandbox/sandbox.js";
