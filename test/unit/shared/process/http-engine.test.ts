import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { enginePackageFor, requireHttpEngine, type EngineHost } from "../../../../shared/process/http-engine.js";

const root = resolve(import.meta.dirname, "../../../..");
const debian12 = { platform: "linux", arch: "x64", glibc: "2.36" };
const debian13 = { platform: "linux", arch: "arm64", glibc: "2.41" };
const [newer, older] = ["@btc-vision/uwebsockets.js", "uWebSockets.js"] as const;

describe("enginePackageFor", () => {
  it.each<[EngineHost, string | undefined]>([
    [{ ...debian12, node: "20.19.0" }, older],
    [{ ...debian12, node: "22.1.0" }, older],
    [{ ...debian12, node: "24.1.0" }, undefined],
    [{ ...debian13, node: "20.20.2" }, newer],
    [{ ...debian13, node: "22.23.3" }, newer],
    [{ ...debian13, node: "24.21.0" }, newer],
    [{ ...debian13, node: "25.0.0" }, newer],
    [{ ...debian13, node: "26.0.0" }, undefined],
    [{ ...debian13, node: "23.0.0" }, undefined],
    [{ ...debian13, node: "20.18.3" }, undefined],
    [{ ...debian13, glibc: "2.38", node: "24.0.0" }, newer],
    [{ ...debian13, glibc: undefined, node: "22.0.0" }, undefined],
    [{ ...debian13, glibc: "2.26", node: "20.19.0" }, undefined],
    [{ platform: "darwin", arch: "arm64", glibc: undefined, node: "24.0.0" }, newer],
    [{ platform: "linux", arch: "ppc64", glibc: "2.41", node: "24.0.0" }, undefined],
    [{ platform: "freebsd", arch: "x64", glibc: undefined, node: "24.0.0" }, undefined],
  ])("%o: %s", (host, name) => {
    expect(enginePackageFor(host)).toBe(name);
  });

  it("knows the same versions of Node as package.json, and so as the set-up and npm", () => {
    const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { engines: { node: string } };
    const known = Array.from({ length: 40 }, (_, major) => major).filter(
      (major) => enginePackageFor({ ...debian13, node: `${major}.99.0` }) !== undefined,
    );
    expect(engines.node).toBe(known.map((major) => `^${major}.${major === 20 ? 19 : 0}.0`).join(" || "));
    expect(enginePackageFor({ ...debian13, node: "20.18.9" })).toBeUndefined();
  });
});

describe("requireHttpEngine", () => {
  it("is content with the Node that runs this", () => {
    expect([newer, older]).toContain(requireHttpEngine());
  });

  it("says in one sentence what is missing", () => {
    const sentence = (host: EngineHost): string => {
      try {
        return requireHttpEngine(host);
      } catch (error) {
        return String(error);
      }
    };
    expect(sentence({ ...debian12, node: "24.1.0" })).toMatch(
      /^ConfigError: Node 24\.1\.0 on linux x64 with glibc 2\.36 cannot run the HTTP engine: [^\n]*Debian 13[^\n]*$/,
    );
    expect(sentence({ ...debian13, glibc: undefined, node: "24.1.0" })).toContain("linux arm64 without glibc cannot");
  });
});

/** The check reads only the version, so a Node that claims another version is enough. */
describe.each(["router/main.js", "deploy/supervisor/main.js"])("%s", (file) => {
  it("refuses a Node that cannot run the engine in one sentence, with the code that says not to try again", () => {
    const other = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "26.1.0" })`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", other, join(root, "dist", file)], {
      env: {},
      cwd: join(root, "test"),
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([78, ""]);
    expect(stderr).toMatch(/^configuration:\n {2}Node 26\.1\.0 on [^\n]* cannot run the HTTP engine: [^\n]*\n$/);
  });
});
