import type { Platform } from "../../../shared/contract/platform.js";
import type { Cli } from "../cli.js";
import { CliError, exitCodes } from "../exit-code.js";
import { fetchWithin } from "../gateway/fetch-within.js";
import { NoResponse, reasonOf, sentenceOf } from "../gateway/refusal.js";

const scanMs = 30_000;

/** Scans a code with the phone of a sandbox account. */
export async function scanOnSandbox(
  { client, environment, signal, screen }: Cli,
  platform: Platform,
  account: string,
  qrcode: string,
): Promise<void> {
  const sandbox = client.address.sandbox ?? `http://127.0.0.1:${environment["SANDBOX_PORT"] || "8090"}`;
  const request = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ platform, account, qrcode }),
    signal,
    withinMs: scanMs,
  };
  const read = async (response: Response): Promise<string | undefined> =>
    response.ok ? undefined : sentenceOf(await response.text(), response.statusText);
  const refusal = await fetchWithin(`${sandbox}/phone/scan`, request, read).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new NoResponse(`the sandbox at ${sandbox}`, reasonOf(error), error);
  });
  if (refusal !== undefined) throw new CliError(`couldn't scan as ${account}: ${refusal}`, exitCodes.failed);
  screen.say(`Scanned as ${account}`);
}
