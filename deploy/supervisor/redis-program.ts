import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that are compatible with Redis, in order of preference. */
const programs = ["redis-server", "valkey-server"] as const;

/** Returns the first program on the search path, or `redis-server` if there is none, so that the error names it. */
export function redisProgram(path = process.env["PATH"] ?? ""): string {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return programs.find((name) => folders.some((folder) => isExecutable(join(folder, name)))) ?? programs[0];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // The file is missing or not accessible.
  }
}
