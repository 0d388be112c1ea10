import { createLog } from "../shared/log/logger.js";
import { runProcess, settingsOrExit } from "../shared/process/run.js";
import { readShardSettings } from "./config.js";
import { libraryTempFolder } from "./library-temp.js";
import { buildShard } from "./shard.js";

const { settings, secrets } = settingsOrExit(() => readShardSettings(process.env));
const log = createLog({ role: "shard", member: settings.name }, settings.logLevel);
await runProcess(log, (lifecycle) => {
  process.env["TMPDIR"] = libraryTempFolder(settings.dataDir, lifecycle);
  return buildShard({ settings, secrets, lifecycle, log });
});
