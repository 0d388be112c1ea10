import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const manifests = resolve(import.meta.dirname, "../../../../deploy/manifests");
let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "make-env-"));
  file = join(folder, "env");
  expect(make()).toMatchObject({ status: 0 });
});
afterAll(() => rmSync(folder, { recursive: true }));

const make = () => spawnSync(process.execPath, [join(manifests, "make-env.mjs"), file], { encoding: "utf8" });
const text = (): string => readFileSync(file, "utf8");

describe("make-env", () => {
  it("writes a file for its owner alone, and never over another", () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = text();
    expect(make().status).toBe(1);
    expect(text()).toBe(before);
  });

  it("has a line for the balancer, with a hint, that is off until it is filled in", () => {
    const lines = text().split("\n");
    const at = lines.indexOf("# TRUSTED_PROXIES=");
    expect(lines[at - 1]).toMatch(/^# .*balancer.*address or network/);
    expect(lines.some((line) => line.startsWith("TRUSTED_PROXIES="))).toBe(false);
  });

  it("names nothing that compose.yaml does not read", () => {
    const names = [...text().matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(8);
    const compose = readFileSync(join(manifests, "compose.yaml"), "utf8");
    expect(names.filter((name) => !compose.includes(`\${${name}:`))).toEqual([]);
  });
});
