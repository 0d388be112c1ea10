import { setupOrExit } from "./setup.mjs";
import { leaveIfSettingsAreWrong } from "./setup/check-settings.mjs";
import { leaveIfOneRuns } from "./setup/check-first.mjs";

leaveIfOneRuns();
await leaveIfSettingsAreWrong();
// The supervisor runs in this process, so Ctrl-C, SIGTERM and the exit code need no forwarding.
await setupOrExit({ privateRedis: !process.env.REDIS_URL });
process.setSourceMapsEnabled(true);
await import(new URL("../dist/deploy/supervisor/main.js", import.meta.url).href);
