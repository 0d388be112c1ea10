import { readFileSync } from "node:fs";
import { CliError, exitCodes, usageError } from "./exit-code.js";

/** The secret in a file that an option names, without the end of its line. */
export function readGivenFile(option: string, file: string): string {
  try {
    const text = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    if (text === "") throw usageError(`${option}: ${file} is empty`);
    return text;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${option} cannot be read: ${file}`, exitCodes.usage, { cause: error });
  }
}

/** The proxy in the file of `--proxy-file`, as bodies have it. */
export function givenProxy(file: string | undefined): { proxy?: string } {
  return file === undefined ? {} : { proxy: readGivenFile("--proxy-file", file) };
}

/** What `--proxy-file` and `--no-proxy` of a change come to, as bodies have it; nothing where neither is given. Commander's `proxy` is false for `--no-proxy`. */
export function changedProxy({ proxyFile, proxy }: { proxyFile?: string; proxy: boolean }): { proxy?: string | null } {
  if (proxy) return givenProxy(proxyFile);
  if (proxyFile !== undefined) throw usageError("--proxy-file and --no-proxy exclude each other");
  return { proxy: null };
}
