import { join } from "node:path";
import { createLog } from "../shared/log/logger.js";
import { runProcess, settingsOrExit } from "../shared/process/run.js";
import { readShardSettings } from "./config.js";
import { TempFolder } from "./files/download/temp-folder.js";
import { buildShard } from "./shard.js";

const { settings, secrets } = settingsOrExit(() => readShardSettings(process.env));
const log = createLog({ role: "shard", member: settings.name }, settings.logLevel);
await runProcess(log, (lifecycle) => {
  // Libraries keep encrypted media in the temp folder during an upload. In the machine's folder a killed process would leave it for ever.
  const temp = new TempFolder(join(settings.dataDir, "temp"), "library");
  process.env["TMPDIR"] = temp.path;
  lifecycle.add(["temp folder", { start: () => temp.open(), stop: () => temp.remove() }]);
  return buildShard({ settings, secrets, lifecycle, log });
});
