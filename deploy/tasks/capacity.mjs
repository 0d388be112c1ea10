import { runBuilt } from "../setup/run-built.mjs";

// `npm run capacity` measures what `trunkline capacity` reckons with (`-- --quick`: a try, which changes nothing); `npm run capacity -- --sessions <n> …` answers from what is kept.
const isAsked = process.argv.some((argument) => argument.startsWith("--sessions"));
process.argv.splice(2, 0, isAsked ? "capacity" : "--capacity");
await (isAsked ? runBuilt("deploy/cli/main.js", "the command line") : runBuilt("bench/run.js", "the measurement"));
