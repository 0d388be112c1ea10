import { runBuilt } from "../setup/run-built.mjs";

// `npm run soak -- <soaks>`
await runBuilt("test/soak/run.js", "the soaks");
