import { runBuilt } from "../setup/run-built.mjs";

// `npm run capacity` measures the costs that `trunkline capacity` uses (`-- --quick` is a trial that changes nothing). `npm run capacity
// -- --sessions <n> …` calculates from the stored costs.
const isRequested = process.argv.some((argument) => argument.startsWith("--sessions"));
process.argv.splice(2, 0, isRequested ? "capacity" : "--capacity");
await (isRequested ? runBuilt("deploy/cli/main.js", "the command line") : runBuilt("bench/run.js", "the measurement"));
