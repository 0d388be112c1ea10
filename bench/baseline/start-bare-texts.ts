import type { Platform } from "../../shared/contract/platform.js";
import type { Gateway } from "../../test/harness/gateway.js";
import type { TextServer } from "../conversation/text-server.js";
import type { MadeLogin } from "../logins/stored-logins.js";
import { startBareGramTexts } from "./bare-gramjs-texts.js";
import { bareOn } from "./bare-on.js";

/** Starts the platform's bare library with these logins behind an HTTP server. `met[i]` are the phone numbers that login `i` texts. */
export async function startBareTexts(
  gateway: Gateway,
  platform: Platform,
  made: readonly MadeLogin[],
  met: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<TextServer> {
  if (platform === "telegram") return await startBareGramTexts(gateway, made, met, signal);
  const bare = await bareOn(gateway, made, signal);
  return { pid: bare.pid, origin: await bare.serve(), usage: () => bare.usage(), stop: () => bare.stop() };
}
