import { runBuilt } from "../setup/run-built.mjs";

// `npm run bench -- <scenarios>`. A scenario that needs another program gets it if it is named; `-- --prometheus` monitors a running
// target until Ctrl-C.
const programs = { "--prometheus": ["prometheus"], "media-nginx": ["nginx"] };
await runBuilt(
  "bench/run.js",
  "the benchmarks",
  process.argv.slice(2).flatMap((argument) => programs[argument] ?? []),
);
