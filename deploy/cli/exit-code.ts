/** What a script can tell by (deploy/cli/README.md, "Exit codes"). */
export const exitCodes = { ok: 0, failed: 1, usage: 2, notFound: 3, refused: 4, unreachable: 5, conflict: 6, interrupted: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An end that is told in one sentence. */
export class CliError extends Error {
  override readonly name = "CliError";

  constructor(
    message: string,
    readonly exitCode: ExitCode = exitCodes.failed,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A wrong option or argument. */
export function usageError(message: string): CliError {
  return new CliError(message, exitCodes.usage);
}

/** What an answer of the gateway with this status comes to. */
export function exitCodeOf(status: number): ExitCode {
  if (status === 400) return exitCodes.usage;
  if (status === 401 || status === 403) return exitCodes.refused;
  if (status === 404) return exitCodes.notFound;
  if (status === 409 || status === 422 || status === 429) return exitCodes.conflict;
  return exitCodes.failed;
}
