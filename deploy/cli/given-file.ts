import { readFileSync, statSync } from "node:fs";
import { safe } from "./output/plain.js";
import { CliError, exitCodes, usageError } from "./exit-code.js";

/** The secret in a file that an option names, without the end of its line. */
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

/** Says on the way that every user of this machine can read a file with a secret. A container's secrets are its own, whatever their mode. */
export function warnOfReaders(file: string | undefined): void {
  if (file === undefined || file === "" || file.startsWith("/run/secrets/")) return;
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o004) !== 0) console.error(safe(`trunkline: warning: other users can read ${file}; run chmod 600 ${file}`));
}

/** The proxy in the file of `--proxy-file`, as bodies have it. */
export function givenProxy(file: string | undefined): { proxy?: string } {
  return file === undefined ? {} : { proxy: readGivenFile("--proxy-file", file) };
}

/** What `--proxy-file` and `--no-proxy` of a change come to, as bodies have it; nothing where neither is given. Commander's `proxy` is false for `--no-proxy`. */
export function changedProxy({ proxyFile, proxy }: { proxyFile?: string; proxy: boolean }): { proxy?: string | null } {
  if (proxy) return givenProxy(proxyFile);
  if (proxyFile !== undefined) throw usageError("use only one of --proxy-file and --no-proxy");
  return { proxy: null };
}
