import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Tests the list of components that `npm run sbom` prints. */
const root = resolve(import.meta.dirname, "../../..");

interface Lock {
  readonly packages: Record<string, { readonly name?: string; readonly version?: string; readonly dev?: boolean; readonly link?: boolean }>;
}
interface CycloneDx {
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly { readonly name: string; readonly version: string; readonly purl: string; readonly licenses?: unknown[] }[];
}
interface Spdx {
  readonly spdxVersion: string;
  readonly packages: readonly { readonly name: string; readonly versionInfo: string; readonly licenseDeclared?: string }[];
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tl-sbom-"));
  expect(spawnSync(process.execPath, [join(root, "deploy/tasks/sbom.mjs"), folder], { encoding: "utf8" })).toMatchObject({ status: 0 });
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (path: string): string => readFileSync(path, "utf8");
const cycloneDx = (): CycloneDx => JSON.parse(read(join(folder, "trunkline.cdx.json"))) as CycloneDx;
const spdx = (): Spdx => JSON.parse(read(join(folder, "trunkline.spdx.json"))) as Spdx;

/** Packages of the lock file that ship and are installed here. A package may be installed under another name. */
const { packages } = JSON.parse(read(join(root, "package-lock.json"))) as Lock;
const shipped = Object.entries(packages)
  .filter(([path, { dev, link }]) => path.includes("node_modules/") && dev !== true && link !== true && existsSync(join(root, path)))
  .map(([path, { name, version = "" }]) => ({ imported: path.replace(/^.*node_modules\//, ""), name, version }));

describe("npm run sbom", () => {
  it("names the program and its version", () => {
    const { version } = JSON.parse(read(join(root, "package.json"))) as { version: string };
    expect(cycloneDx().metadata.component).toMatchObject({ name: "trunkline", version });
    expect(cycloneDx().specVersion).toMatch(/^1\.\d+$/);
    expect(spdx().spdxVersion).toMatch(/^SPDX-2\.\d+$/);
  });

  it("lists every package that ships, in both forms, and none that only tests need", () => {
    expect(shipped.length).toBeGreaterThan(100);
    const listed = cycloneDx().components.map(({ name, version }) => `${name} ${version}`);
    expect(shipped.filter(({ imported, version }) => !listed.includes(`${imported} ${version}`))).toEqual([]);
    const inSpdx = spdx().packages.map(({ name, versionInfo }) => `${name} ${versionInfo}`);
    expect(shipped.filter(({ imported, name = imported, version }) => !inSpdx.includes(`${name} ${version}`))).toEqual([]);
    expect(listed.filter((name) => /^(vitest|eslint|prettier) /.test(name))).toEqual([]);
  });

  it("says the licence of each", () => {
    expect(cycloneDx().components.filter(({ licenses = [] }) => licenses.length === 0)).toEqual([]);
    const lines = read(join(folder, "licences.txt")).trim().split("\n");
    expect(lines).toHaveLength(cycloneDx().components.length);
    expect(lines.filter((line) => !/^\S+ \S+: \S/.test(line) || line.endsWith(": none"))).toEqual([]);
  });
});
