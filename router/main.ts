import { createLog } from "../shared/log/logger.js";
import { requireHttpEngine } from "../shared/process/http-engine.js";
import { runProcess, settingsOrExit } from "../shared/process/run.js";
import { readRouterSettings } from "./config.js";

settingsOrExit(requireHttpEngine);
// Imported late: on a host where the engine cannot run, its own message would otherwise come before ours.
const { buildRouter } = await import("./router.js");
const { settings, secrets } = settingsOrExit(() => readRouterSettings(process.env));
const log = createLog({ role: "router", member: settings.name }, settings.logLevel);
await runProcess(log, (lifecycle) => buildRouter({ settings, secrets, lifecycle, log }));
