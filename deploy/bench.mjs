import { runBuilt } from "./setup/run-built.mjs";

// `npm run bench -- <names of scenarios>`
await runBuilt("bench/run.js", "the benchmarks");
