import { inDebian, vitestIn } from "./setup/test-in-debian.mjs";

// `npm run test:node24 -- <arguments of vitest>`: the tests from outside, on the Node and the Debian of the image, whatever this machine has. The build and the
// packages are those of the checkout: no binary in them is bound to one Node but the HTTP engine's, which has one for each.
const suites = ["test/conformance", "test/contract", "test/platform", "test/journey", "test/cluster/media-aborts.test.ts"];

const given = process.argv.slice(2);
await inDebian((inside) => vitestIn(inside, given.some((argument) => !argument.startsWith("-")) ? given : [...suites, ...given]));
