import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs that speak Redis' protocol and take its settings, by preference. */
const programs = ["redis-server", "valkey-server"] as const;

/** The first that is on a search path; `redis-server` when none is, so that it is the one whose absence is told. */
export function redisProgram(path = process.env["PATH"] ?? ""): string {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return programs.find((name) => folders.some((folder) => isExecutable(join(folder, name)))) ?? programs[0];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // Not there, or not for us.
  }
}
