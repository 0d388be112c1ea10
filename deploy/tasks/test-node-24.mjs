import { readdirSync } from "node:fs";
import { inDebian, vitestIn } from "../setup/test-in-debian.mjs";

// `npm run test:node24 -- <arguments of vitest>`: runs the outside tests on the image's Node and Debian. The checkout's packages fit every
// Node. Tests of the pages' commands are excluded, because they need npm.
const journeys = readdirSync(new URL("../../test/journey", import.meta.url)).filter(
  (file) => file.endsWith(".test.ts") && file !== "pages.test.ts",
);
const suites = [
  ...["test/conformance", "test/contract", "test/platform", "test/cluster/media-aborts.test.ts"],
  ...journeys.map((file) => `test/journey/${file}`),
];

const given = process.argv.slice(2);
await inDebian((inside) => vitestIn(inside, given.some((argument) => !argument.startsWith("-")) ? given : [...suites, ...given]));
