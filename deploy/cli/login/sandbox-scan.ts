import type { Platform } from "../../../shared/contract/platform.js";
import type { Cli } from "../cli.js";
import { CliError, exitCodes } from "../exit-code.js";
import { NoAnswer, reasonOf, sentenceOf } from "../gateway/refusal.js";

const scanMs = 30_000;

/** Holds a code in front of the phone of a sandbox's account. */
export async function scanOnSandbox(
  { client, environment, signal, screen }: Cli,
  platform: Platform,
  account: string,
  qrcode: string,
): Promise<void> {
  const sandbox = client.address.sandbox ?? `http://127.0.0.1:${environment["SANDBOX_PORT"] || "8090"}`;
  const ask = async (): Promise<Response> =>
    await fetch(`${sandbox}/phone/scan`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ platform, account, qrcode }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(scanMs)]),
    });
  const answer = await ask().catch((error: unknown) => {
    signal.throwIfAborted();
    throw new NoAnswer(`the sandbox at ${sandbox}`, reasonOf(error), error);
  });
  const body = await answer.text();
  if (!answer.ok) throw new CliError(`the sandbox does not scan with ${account}: ${sentenceOf(body, answer.statusText)}`, exitCodes.failed);
  screen.say(`scanned with the phone of ${account}`);
}
