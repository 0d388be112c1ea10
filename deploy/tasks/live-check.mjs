import { runBuilt } from "../setup/run-built.mjs";

// `npm run live-check` beside a running gateway (`-- --help` lists its options; see going-live.md).
process.argv.splice(2, 0, "live-check");
await runBuilt("deploy/cli/main.js", "the check");
