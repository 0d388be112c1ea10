import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../../..");
const { keepFiles, holdsFiles } = (await import(join(root, "deploy/setup/made-files.mjs"))) as {
  keepFiles(home: string, folders?: string[]): void;
  holdsFiles(home: string): boolean;
};

describe("a folder that was made", () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "tl-made-"));
    mkdirSync(join(home, "files/of/it"), { recursive: true });
    for (const path of ["one.js", "files/two.js", "files/of/it/three.js"]) writeFileSync(join(home, path), path);
  });
  afterEach(() => rmSync(home, { recursive: true }));

  it("holds what it held, until a file of it is gone or cut off; what came since is nothing to it", () => {
    keepFiles(home);
    writeFileSync(join(home, "later.js"), "");
    expect(holdsFiles(home)).toBe(true);
    truncateSync(join(home, "files/of/it/three.js"), 3);
    expect(holdsFiles(home)).toBe(false);
    keepFiles(home);
    rmSync(join(home, "files/two.js"));
    expect(holdsFiles(home)).toBe(false);
  });

  it("can be checked in some of its folders only", () => {
    keepFiles(home, ["files"]);
    rmSync(join(home, "one.js"));
    expect(holdsFiles(home)).toBe(true);
    rmSync(join(home, "files"), { recursive: true });
    expect(holdsFiles(home)).toBe(false);
  });

  it("without a list, or with half of one, is as good as none", () => {
    expect(holdsFiles(home)).toBe(false);
    keepFiles(home);
    truncateSync(join(home, ".setup-files"), 10);
    expect(holdsFiles(home)).toBe(false);
  });
});
