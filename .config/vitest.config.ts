import { defineConfig } from "vitest/config";
import { compiledValidators } from "./compiled-validators.js";
import { SystemFirst } from "./system-first.js";
import { workersFor } from "./workers.js";

const root = new URL("..", import.meta.url).pathname;

/**
 * Tests that weigh their whole process, and those that compare a library with what we replace of it: parts are replaced for the whole process and looked at before
 * and after, so with others in the process they would see theirs.
 */
const ownProcess = [
  "test/unit/shard/files/download/download.test.ts",
  "test/unit/shard/files/image/{image-pool,scale,text-card}.test.ts",
  "test/unit/shard/telegram/{fast-crypto,fast-integers,library-reaches,message-state,peers,srp}.test.ts",
  "test/unit/shard/whatsapp/{auth-store,bridge,client,keep-alive,library-reaches,public-key-crypto,pace-encryption,quiet-libsignal,server-certificate,short-sender-keys,x25519}.test.ts",
  "test/unit/shared/flow/abort-scope.test.ts",
  "test/sandbox/test/whatsapp/protocol/parts.test.ts",
];
const unit = ["test/unit/**/*.test.ts", "test/*.test.ts"];
const contract = ["test/contract/**/*.test.ts"];
/** One platform's connector, and one platform's sandbox with the libraries as they come, in the test's own process. */
const platform = ["test/platform/**/*.test.ts"];
const sandbox = ["test/sandbox/**/*.test.ts"];
/** Wants the last release beside this build: `npm run test:upgrade` makes it. */
const upgrade = process.env["LAST_RELEASE"] === undefined ? ["test/upgrade/**/*.test.ts"] : [];
/** Needs client generators, which `npm run test:generators` installs. */
const generators = process.env["GENERATORS"] === undefined ? ["test/generators/**/*.test.ts"] : [];
/** Want a Docker engine and base images: `npm run test:containers` has them. */
const containers = process.env["CONTAINER_NODE_IMAGE"] === undefined ? ["test/containers/**/*.test.ts"] : [];
/** Without those that last longest: they are the whole system's, whose files begin first. */
const conformance = ["test/conformance/!(kills|pace|proxies).test.ts"];

export default defineConfig({
  root,
  plugins: [compiledValidators(root)],
  cacheDir: `${root}.cache/vitest`,
  test: {
    environment: "node",
    pool: "forks",
    reporters: ["./.config/progress-reporter.ts"],
    slowTestThreshold: 5_000,
    setupFiles: ["./.config/end-failing-files.ts", ...(process.env["TEST_CPU"] === undefined ? [] : ["./.config/cpu-of-files.ts"])],
    // What is alike for all sandboxes is made once. Gateways of real processes wait half as long as usual; the tests of kills and of freezes do not.
    env: { SANDBOX_CACHE: `${root}.cache/sandbox`, TEST_TIME_PERCENT: "50" },
    // The build's modules are Node's own affair: to take them through the transformer costs as much as to run most tests.
    server: { deps: { external: [/\/dist\/(test\/harness|deploy\/cli)\//] } },
    // To read, strip and map the sources anew takes a tenth of the fast suite.
    experimental: { fsModuleCache: true, fsModuleCachePath: `${root}.cache/vitest-modules` },
    sequence: { sequencer: SystemFirst },
    maxWorkers: workersFor(process.argv),
    // These end a test that hangs, and prove nothing: a machine of one busy core needs several times what ours does.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      // A file that has no need of a process of its own is spared the start of one, and takes the modules that others have loaded.
      { extends: true, test: { name: "unit", include: unit, exclude: ownProcess, isolate: false } },
      { extends: true, test: { name: "contract", include: contract, isolate: false } },
      { extends: true, test: { name: "conformance", include: conformance, isolate: false } },
      { extends: true, test: { name: "platform", include: platform, isolate: false } },
      { extends: true, test: { name: "sandbox", include: sandbox, exclude: ownProcess, isolate: false } },
      { extends: true, test: { name: "process", include: ownProcess } },
      {
        extends: true,
        test: {
          name: "system",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: [...unit, ...contract, ...conformance, ...platform, ...sandbox, ...upgrade, ...generators, ...containers],
        },
      },
    ],
  },
});
