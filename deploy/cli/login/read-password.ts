import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Cli } from "../cli.js";
import { CliError, exitCodes, usageError } from "../exit-code.js";

/** Reads a password from the terminal without showing it. */
export async function readPassword({ surroundings, signal }: Cli, question: string): Promise<string> {
  const { stdin, stderr } = surroundings;
  if (!stdin.isTTY) throw usageError("this account needs a two-step password; use --password-file when there is no terminal");
  const lines = createInterface({ input: stdin, output: new Writable({ write: (_, __, done) => done() }), terminal: true });
  // In this terminal mode Ctrl-C arrives as a key.
  const cancelled = new AbortController();
  lines.once("SIGINT", () => cancelled.abort());
  // Typed characters are hidden from here on.
  stderr.write(question);
  try {
    return await lines.question("", { signal: AbortSignal.any([signal, cancelled.signal]) });
  } catch (error) {
    if (cancelled.signal.aborted) throw new CliError("interrupted", exitCodes.interrupted);
    throw error;
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
