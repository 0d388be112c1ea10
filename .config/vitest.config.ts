import { defineConfig } from "vitest/config";
import { compiledValidators } from "./compiled-validators.js";
import { SystemFirst } from "./system-first.js";
import { workersFor } from "./workers.js";

const root = new URL("..", import.meta.url).pathname;

/**
 * Tests that need their own process: they measure it, or replace parts of a library for the whole process and compare the library before
 * and after.
 */
const ownProcess = [
  "test/unit/deploy/supervisor/private-redis-stop.test.ts",
  "test/unit/shard/files/download/download.test.ts",
  "test/unit/shard/files/image/{image-pool,scale,text-card}.test.ts",
  "test/unit/shard/telegram/{fast-crypto,fast-integers,library-reaches,message-state,peers,srp}.test.ts",
  "test/unit/shard/whatsapp/{auth-store,bridge,client,keep-alive,library-reaches,public-key-crypto,pace-encryption,quiet-libsignal,server-certificate,short-sender-keys,x25519}.test.ts",
  "test/unit/shared/flow/abort-scope.test.ts",
  "test/sandbox/test/whatsapp/protocol/parts.test.ts",
];
const unit = ["test/unit/**/*.test.ts", "test/*.test.ts"];
const contract = ["test/contract/**/*.test.ts"];
/** Tests of one platform's connector or sandbox with the original libraries, in the test's own process. */
const platform = ["test/platform/**/*.test.ts"];
const sandbox = ["test/sandbox/**/*.test.ts"];
/** Tests that need the last release beside this build, which `npm run test:upgrade` creates. */
const upgrade = process.env["LAST_RELEASE"] === undefined ? ["test/upgrade/**/*.test.ts"] : [];
/** Needs client generators, which `npm run test:generators` installs. */
const generators = process.env["GENERATORS"] === undefined ? ["test/generators/**/*.test.ts"] : [];
/** Tests that need a Docker engine and base images, which `npm run test:containers` provides. */
const containers = process.env["CONTAINER_NODE_IMAGE"] === undefined ? ["test/containers/**/*.test.ts"] : [];
/** Excludes the slowest files, which run in the project "system", whose files start first. */
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
    // Sandboxes share a cache of what is equal in all of them. Gateways in separate processes use half of the usual timeouts, except in
    // tests of kills and freezes.
    env: { SANDBOX_CACHE: `${root}.cache/sandbox`, TEST_TIME_PERCENT: "50" },
    // Node loads the build's modules itself: transforming them costs as much as running most tests.
    server: { deps: { external: [/\/dist\/(test\/harness|deploy\/cli)\//] } },
    // Without this cache, transforming the sources takes a tenth of the fast suite's time.
    experimental: { fsModuleCache: true, fsModuleCachePath: `${root}.cache/vitest-modules` },
    sequence: { sequencer: SystemFirst },
    maxWorkers: workersFor(process.argv),
    // These limits only end a hung test: a machine with one busy core needs several times longer than ours.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      // Files of a project without isolation share processes and loaded modules, which saves their start.
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
