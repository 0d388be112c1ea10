import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loggedIn, type Caller } from "../harness/api.js";
import { startCluster, type TestCluster } from "../harness/cluster.js";
import { compilerConfig, generators, orvalConfig } from "./programs.js";

/** Clients that generators make of the document of a running gateway. `npm run test:generators` installs the generators. */
const root = resolve(import.meta.dirname, "../..");
const installed = process.env["GENERATORS"] ?? "";
const run = promisify(execFile);
let cluster: TestCluster;
let alice: Caller;
let gateway: string;
let folder: string;

beforeAll(async () => {
  cluster = await startCluster();
  alice = await loggedIn(cluster, "alice");
  gateway = new URL(cluster.telegram[0] ?? "").origin;
  // Below the installed packages, so that generated clients find their run-time libraries.
  folder = await mkdtemp(join(installed, "clients-"));
  await writeFile(join(folder, "openapi.json"), await (await fetch(`${gateway}/openapi.json`)).text());
  await writeFile(join(folder, "orval.config.cjs"), orvalConfig);
  await writeFile(join(folder, "tsconfig.json"), compilerConfig);
});
afterAll(async () => {
  await cluster.stop();
  await rm(folder, { recursive: true });
});

it.each(Object.entries(generators))("%s generates a client from the document", async (name, { command, program }) => {
  const [generator, ...args] = command;
  const path = [join(installed, "node_modules/.bin"), join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  await run(generator, args, { cwd: folder, env: { ...process.env, PATH: path, GATEWAY: gateway } });
  await writeFile(join(folder, `${name}-program.ts`), program);
});

it("Spectral finds nothing in the document", async () => {
  await writeFile(join(folder, ".spectral.yaml"), 'extends: ["spectral:oas"]\n');
  const { stdout } = await run(join(installed, "node_modules/.bin/spectral"), ["lint", "openapi.json", "--fail-severity=hint"], {
    cwd: folder,
  });
  expect(stdout).toContain("No results");
});

it("the clients and their programs compile with strict TypeScript", async () => {
  const { status, stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
    encoding: "utf8",
  });
  expect([status, stdout.slice(0, 5_000)]).toEqual([0, ""]);
});

it.each(Object.keys(generators))("the client of %s sends a message", async (name) => {
  const outfile = join(folder, `${name}.mjs`);
  await build({ entryPoints: [join(folder, `${name}-program.ts`)], outfile, bundle: true, platform: "node", format: "esm" });
  const { id, sessionId } = alice.credentials;
  const env = { ...process.env, GATEWAY: gateway, ID: id, SECRET: sessionId, TEXT: randomUUID() };
  const { stdout } = await run(process.execPath, [outfile], { env });
  expect(stdout).toMatch(/^\d+\n$/);
});
