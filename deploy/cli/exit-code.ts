/** Exit codes for scripts (deploy/cli/README.md, "Exit codes"). */
export const exitCodes = { ok: 0, failed: 1, usage: 2, notFound: 3, refused: 4, unreachable: 5, conflict: 6, interrupted: 130 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Failure whose message is printed without a stack trace. */
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

/** Returns the error for a wrong option or argument. */
export function usageError(message: string): CliError {
  return new CliError(message, exitCodes.usage);
}

/** Maps an HTTP status of the gateway to an exit code. */
export function exitCodeOf(status: number): ExitCode {
  if (status === 400) return exitCodes.usage;
  if (status === 401 || status === 403) return exitCodes.refused;
  if (status === 404) return exitCodes.notFound;
  if (status === 409 || status === 422 || status === 429) return exitCodes.conflict;
  return exitCodes.failed;
}
