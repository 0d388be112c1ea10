import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routerStopMs, shardStopMs } from "../../../../../deploy/supervisor/plan-children.js";
import { configurationExitCode } from "../../../../../shared/process/run.js";

const root = resolve(import.meta.dirname, "../../../../..");
const files = readdirSync(join(root, "deploy/manifests/systemd")).sort();
const settings = readFileSync(join(root, "deploy/docs/settings.md"), "utf8");

/** Returns the values of a unit by key. A repeated key has several values. */
function keysOf(file: string): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, string[]>();
  for (const [, key = "", value = ""] of readFileSync(join(root, "deploy/manifests/systemd", file), "utf8").matchAll(/^(\w+)=(.*)$/gm))
    keys.set(key, [...(keys.get(key) ?? []), value]);
  return keys;
}

const one = (file: string, key: string): string => keysOf(file).get(key)?.join(" ") ?? "";
const environmentOf = (file: string): Record<string, string> =>
  Object.fromEntries(
    one(file, "Environment")
      .split(" ")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );

it("are one for a whole host, and one for each kind of process", () => {
  expect(files).toEqual(["trunkline-router@.service", "trunkline-shard@.service", "trunkline.service"]);
});

describe.each(files)("%s", (file) => {
  it("starts what the build makes", () => {
    const [, entry = ""] = / (dist\/\S+\.js)\b/.exec(one(file, "ExecStart")) ?? [];
    expect(existsSync(join(root, entry.replace(/^dist\/(.*)\.js$/, "$1.ts")))).toBe(true);
  });

  it("sets what there is to set", () => {
    const names = Object.keys(environmentOf(file)).map((name) => name.replace(/_FILE$/, ""));
    expect(names.length).toBeGreaterThan(2);
    // The last is Node's own, and the one before belongs to the HTTP engine.
    const others = ["UWS_HTTP_MAX_HEADERS_SIZE", "NODE_ENV"];
    expect(names.filter((name) => !settings.includes(`\`${name}\``) && !others.includes(name))).toEqual([]);
  });

  it("hands over each secret that it names, and no other", () => {
    const handed = (keysOf(file).get("LoadCredential") ?? []).map((line) => line.slice(0, line.indexOf(":")));
    const named = Object.values(environmentOf(file)).flatMap((value) => (value.startsWith("%d/") ? [value.slice(3)] : []));
    expect(named.sort()).toEqual(handed.sort());
  });

  it("signals only the supervisor and leaves it the time to drain", () => {
    const { SHUTDOWN_DELAY_SECONDS: delay = "0", SHUTDOWN_GRACE_SECONDS: grace = "30" } = environmentOf(file);
    const router = routerStopMs({ delayMs: Number(delay) * 1_000, graceMs: Number(grace) * 1_000 });
    // A whole host stops its routers, then its shards, then Redis, which may take 25 s.
    const stopMs = { "trunkline-router@.service": router, "trunkline-shard@.service": shardStopMs }[file] ?? router + shardStopMs + 25_000;
    expect(Number(one(file, "TimeoutStopSec")) * 1_000).toBeGreaterThan(stopMs + 5_000);
    expect(one(file, "KillMode")).toBe("mixed");
  });

  it("is started again, but not with settings that were refused", () => {
    expect([one(file, "Restart"), one(file, "RestartPreventExitStatus")]).toEqual(["always", String(configurationExitCode)]);
  });
});

describe.runIf(process.platform === "linux")("systemd itself", () => {
  let folder: string;
  /** Returns the path of a unit's instance. The copies run the Node that runs this test. */
  const instance = (file: string): string => join(folder, file.replace("@.", "@1."));
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "tl-units-"));
    for (const file of files)
      writeFileSync(
        instance(file),
        readFileSync(join(root, "deploy/manifests/systemd", file), "utf8")
          .replace("/usr/bin/node", process.execPath)
          .replace("WorkingDirectory=/opt/trunkline", `WorkingDirectory=${root}`),
      );
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const analyze = (...args: string[]): { status: number | null; output: string } => {
    const { status, stdout, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
    return { status, output: stdout + stderr };
  };

  it.each(files)("understands %s", (file) => {
    expect(analyze("verify", "--recursive-errors=no", "--man=no", instance(file))).toEqual({ status: 0, output: "" });
  });

  it.each(files)("finds %s well shut in", (file) => {
    const { status, output } = analyze("security", "--offline=yes", "--no-pager", "--threshold=25", instance(file));
    expect(status, output).toBe(0);
  });

  it("sees a mistake", () => {
    writeFileSync(join(folder, "wrong.service"), "[Service]\nExecStart=/nowhere/at/all\n");
    expect(analyze("verify", "--recursive-errors=no", "--man=no", join(folder, "wrong.service")).status).not.toBe(0);
  });
});
