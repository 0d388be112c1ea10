import { readdirSync } from "node:fs";
import { inDebian, vitestIn } from "../setup/test-in-debian.mjs";

// `npm run test:node24 -- <arguments of vitest>`: the tests from outside, on the Node and the Debian of the image, whatever this machine has. The build and the
// packages are those of the checkout: no binary in them is bound to one Node but the HTTP engine's, which has one for each.
// Commands of the pages are left out: they need npm, and that system has Node alone.
const journeys = readdirSync(new URL("../../test/journey", import.meta.url)).filter(
  (file) => file.endsWith(".test.ts") && file !== "pages.test.ts",
);
const suites = [
  ...["test/conformance", "test/contract", "test/platform", "test/cluster/media-aborts.test.ts"],
  ...journeys.map((file) => `test/journey/${file}`),
];

const given = process.argv.slice(2);
await inDebian((inside) => vitestIn(inside, given.some((argument) => !argument.startsWith("-")) ? given : [...suites, ...given]));
