import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DataLock } from "../../../../deploy/supervisor/data-lock.js";

const root = resolve(import.meta.dirname, "../../../..");
const { whyItFailed, leastFreeBytes } = (await import(join(root, "deploy/setup/why-it-failed.mjs"))) as {
  whyItFailed(facts: { command: string; output: string; freeBytes: number }): string | undefined;
  leastFreeBytes: number;
};

describe("why a step of the set-up failed", () => {
  const room = leastFreeBytes;
  const full = "the disk that holds this checkout is full: make room (look with: df -h .), and start again";
  const npmAway = (what: string): string =>
    `the npm registry cannot be reached (${what}): check the network and any proxy, look with: npm ping, and start again`;
  it.each([
    ["node npm-cli.js ci", "npm error code ENOTFOUND\nnpm error network request to …", room, npmAway("ENOTFOUND")],
    ["npm ci", "npm error code ECONNREFUSED", room, npmAway("ECONNREFUSED")],
    ["npm ci", "npm error code ENOSPC", room, full],
    ["node tspc.js", "exit", room - 1, full],
    [
      "sudo -n env sh -c apt-get install redis-server",
      "Temporary failure resolving 'deb.debian.org'",
      room,
      "the package servers of this system cannot be reached (Temporary failure resolving): check the network, look with: apt-get update, and start again",
    ],
    ["npm ci", "npm error code EUSAGE", room, undefined],
  ])("%s: %j", (command, output, freeBytes, sentence) => {
    expect(whyItFailed({ command, output, freeBytes })).toBe(sentence);
  });
});

it("names a missing program with the command that installs it, where it must not be installed automatically", () => {
  const nobody = "data:text/javascript,process.getuid = () => 1000";
  const program =
    "import('./deploy/setup/programs.mjs').then((all) => all.requirePrograms(['no-such-program'])).catch(({ message }) => console.log(message))";
  const { stdout } = spawnSync(process.execPath, ["--import", nobody, "-e", program], { cwd: root, encoding: "utf8", env: { PATH: "" } });
  expect(stdout).toMatch(/^no-such-program not found on PATH; install with: (sudo|brew|your system's) .+\n$/);
});

describe("a checkout", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "tl-setup-"));
    for (const path of [
      "package.json",
      "package-lock.json",
      ".npmrc",
      "deploy",
      "test/sandbox/package.json",
      "shard/whatsapp/bridge",
      "shard/files/image/fonts",
    ]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      cpSync(join(root, path), join(folder, path), { recursive: true });
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("without a network says so in one sentence, with what to try", async () => {
    const env = {
      PATH: process.env["PATH"],
      HOME: folder,
      // No process listens on this port.
      npm_config_registry: "http://127.0.0.1:9/",
      npm_config_fetch_retries: "0",
      npm_config_cache: join(folder, "cache"),
    };
    const child = spawn(process.execPath, ["deploy/setup.mjs"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const [printed, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    expect(complaint).toBe(
      "setup: the npm registry cannot be reached (ECONNREFUSED): check the network and any proxy, look with: npm ping, and start again\n",
    );
    // Without a terminal the progress is printed as plain lines.
    expect(printed).not.toContain("\r");
    expect(child.exitCode).toBe(1);
  });

  it("beside a gateway that runs on the same data says so before it makes anything, and how to change over", async () => {
    // The build can detect the running gateway, but does not match the sources. Any later step would fail without packages.
    symlinkSync(join(root, "dist"), join(folder, "dist"));
    cpSync(join(root, "tsconfig.json"), join(folder, "tsconfig.json"));
    const lock = new DataLock(join(folder, "data"));
    await lock.start();
    const env = { PATH: process.env["PATH"], DATA_DIR: join(folder, "data") };
    const child = spawn(process.execPath, ["deploy/start.mjs"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const [printed, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    lock.stop();
    expect(printed).toBe("");
    expect(complaint).toMatch(
      new RegExp(`^trunkline: another supervisor is running with DATA_DIR ${folder}/data, .+: kill ${process.pid}, and start again; .+\n$`),
    );
    expect(child.exitCode).toBe(1);
  });
});
