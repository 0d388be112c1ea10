import { CliError, exitCodeOf, exitCodes } from "../exit-code.js";
import { reasonOf } from "./refusal.js";

/** Yields JSON lines as they arrive. A last line `{statusCode, message}` means that the list is incomplete. */
export async function* ndjson<Row>(response: Response, is: (line: unknown) => line is Row): AsyncGenerator<Row, void, undefined> {
  try {
    for await (const line of linesOf(response)) {
      if (line === "") continue;
      const parsed: unknown = JSON.parse(line);
      if (is(parsed)) yield parsed;
      else throw brokenOff(parsed);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`the list broke off (${reasonOf(error)})`, exitCodes.unreachable, { cause: error });
  }
}

/** Yields the lines of a body without their line endings. */
export async function* linesOf(response: Response): AsyncGenerator<string, void, undefined> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body) {
    rest += decoder.decode(bytes as Uint8Array, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
  }
  if (rest !== "") yield rest;
}

function brokenOff(line: unknown): CliError {
  const { statusCode = 0, message = "a line that this command line does not know" } = Object(line) as {
    statusCode?: number;
    message?: string;
  };
  return new CliError(`the list broke off: ${message}`, statusCode === 0 ? exitCodes.failed : exitCodeOf(statusCode));
}
