import { setupOrExit } from "../setup.mjs";
import { runVitest } from "../setup/run-vitest.mjs";
import { testPrograms } from "../setup/test-programs.mjs";

// `npm test -- <arguments of vitest>`; promtool checks the Prometheus rules, chromium shows the console.
const args = process.argv.slice(2);
await setupOrExit({ further: testPrograms(args) });
runVitest(args);
