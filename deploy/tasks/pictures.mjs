import { runBuilt } from "../setup/run-built.mjs";

// `npm run pictures`: .github/images anew, with the console's size and its first paint
await runBuilt("bench/console/pictures.js", "the pictures", ["chromium"]);
