import { createLog } from "../shared/log/logger.js";
import { runProcess, settingsOrExit } from "../shared/process/run.js";
import { readRouterSettings } from "./config.js";
import { buildRouter } from "./router.js";

const { settings, secrets } = settingsOrExit(() => readRouterSettings(process.env));
const log = createLog({ role: "router", member: settings.name }, settings.logLevel);
await runProcess(log, async (lifecycle) => {
  await buildRouter(settings, secrets, lifecycle, log);
});
