import { readRouterSettings } from "../../router/config.js";
import { readShardSettings } from "../../shard/config.js";
import { libraryTempFolder } from "../../shard/library-temp.js";
import { buildShard } from "../../shard/shard.js";
import { LocalBus } from "../../shared/bus/local-bus.js";
import { createLog } from "../../shared/log/logger.js";
import { requireHttpEngine } from "../../shared/process/http-engine.js";
import { runProcess, settingsOrExit } from "../../shared/process/run.js";
import { routerEnvironment } from "./router-environment.js";

settingsOrExit(requireHttpEngine);
// Imported late: on a host where the engine cannot run, its own message would otherwise come before ours.
const { buildRouter } = await import("../../router/router.js");
const { router, shard } = settingsOrExit(() => ({
  router: readRouterSettings(routerEnvironment(process.env)),
  shard: readShardSettings(process.env),
}));
const logs = {
  router: createLog({ role: "router", member: router.settings.name }, router.settings.logLevel),
  shard: createLog({ role: "shard", member: shard.settings.name }, shard.settings.logLevel),
};
const local = new LocalBus(shard.settings.name);
await runProcess(logs.shard, async (lifecycle) => {
  process.env["TMPDIR"] = libraryTempFolder(shard.settings.dataDir, lifecycle);
  await buildShard({ ...shard, lifecycle, log: logs.shard, local });
  // The router stops first: its requests in flight still find the shard.
  await buildRouter({ ...router, lifecycle, log: logs.router, local });
});
