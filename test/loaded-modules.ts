import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Returns the real paths of all files that a process loads for these imports, of both module systems, as the engine lists them. */
export function loadedModules(entries: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "loaded-"));
  try {
    const imports = entries.map((entry) => `await import(${JSON.stringify(pathToFileURL(entry).href)});`).join("");
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", `${imports} process.exit(0);`], {
      env: { PATH: process.env["PATH"], NODE_V8_COVERAGE: folder },
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`not loaded: ${stderr}`);
    const reports = readdirSync(folder).map(
      (name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as { result: { url: string }[] },
    );
    const urls = reports.flatMap(({ result }) => result.map(({ url }) => url)).filter((url) => url.startsWith("file:"));
    // The imports themselves are a script without a file.
    return [
      ...new Set(
        urls
          .map((url) => fileURLToPath(url))
          .filter((path) => existsSync(path))
          .map((path) => realpathSync(path)),
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
