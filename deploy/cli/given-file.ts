import { readFileSync, statSync } from "node:fs";
import { safe } from "./output/plain.js";
import { CliError, exitCodes, usageError } from "./exit-code.js";

/** Reads the secret from the file of an option, without the trailing line ending. */
export function readGivenFile(option: string, file: string): string {
  try {
    warnOfReaders(file);
    const text = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    if (text === "") throw usageError(`${option}: ${file} is empty`);
    return text;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`cannot read ${option} ${file}`, exitCodes.usage, { cause: error });
  }
}

/**
 * Warns if every user of this machine can read a file with a secret. Files under /run/secrets belong to the container, whatever their
 * mode.
 */
export function warnOfReaders(file: string | undefined): void {
  if (file === undefined || file === "" || file.startsWith("/run/secrets/")) return;
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o004) !== 0) console.error(safe(`trunkline: warning: other users can read ${file}; run chmod 600 ${file}`));
}

/** Returns the proxy from `--proxy-file` as a field of a request body. */
export function givenProxy(file: string | undefined): { proxy?: string } {
  return file === undefined ? {} : { proxy: readGivenFile("--proxy-file", file) };
}

/**
 * Returns the request field for `--proxy-file` or `--no-proxy`; empty if neither is given. Commander sets `proxy` to false for
 * `--no-proxy`.
 */
export function changedProxy({ proxyFile, proxy }: { proxyFile?: string; proxy: boolean }): { proxy?: string | null } {
  if (proxy) return givenProxy(proxyFile);
  if (proxyFile !== undefined) throw usageError("use only one of --proxy-file and --no-proxy");
  return { proxy: null };
}
