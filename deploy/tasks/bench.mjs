import { runBuilt } from "../setup/run-built.mjs";

// `npm run bench -- <names of scenarios>`; a scenario that needs a further program and is named gets it, or `-- --prometheus`: a running target that is watched until Ctrl-C
const programs = { "--prometheus": ["prometheus"], "media-nginx": ["nginx"] };
await runBuilt(
  "bench/run.js",
  "the benchmarks",
  process.argv.slice(2).flatMap((argument) => programs[argument] ?? []),
);
