import { runBuilt } from "./setup/run-built.mjs";

// `npm run bench -- <names of scenarios>`, or `-- --prometheus`: a running target that is watched until Ctrl-C
await runBuilt("bench/run.js", "the benchmarks", process.argv.includes("--prometheus") ? ["prometheus"] : []);
