import { readFileSync } from "node:fs";

/** Seen from the sources (tests) and from the build, which stands one folder deeper. */
const manifest = new URL(import.meta.url.endsWith(".ts") ? "../../package.json" : "../../../package.json", import.meta.url);

/** The build of this process, which operators compare during an update. */
export const version = versionOf(JSON.parse(readFileSync(manifest, "utf8")));

function versionOf(parsed: unknown): string {
  if (typeof parsed !== "object" || parsed === null || !("version" in parsed) || typeof parsed.version !== "string")
    throw new Error("package.json has no version");
  return parsed.version;
}
