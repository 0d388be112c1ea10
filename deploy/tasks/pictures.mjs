import { runBuilt } from "../setup/run-built.mjs";

// `npm run pictures`: takes the pictures in .github/images again, and measures the console's size and first paint.
await runBuilt("bench/console/pictures.js", "the pictures", ["chromium"]);
