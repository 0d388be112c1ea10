import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Gateway } from "../../test/harness/gateway.js";
import type { MadeLogin } from "../logins/stored-logins.js";
import { BareBaileys } from "./bare-baileys.js";

/** Starts the bare library with these logins on the gateway's sandbox. The caller must stop it. */
export async function bareOn(gateway: Gateway, logins: readonly MadeLogin[], signal: AbortSignal): Promise<BareBaileys> {
  const rootKey = await readFile(join(gateway.dataDir, "sandbox", "whatsapp-root.key"), "utf8");
  const url = `ws://127.0.0.1:${Number(new URL(gateway.sandbox).port) + socketOffset}/ws/chat`;
  return await BareBaileys.start({ url, rootKey, credentials: logins.map(({ credentials = "" }) => credentials) }, signal);
}

/** Offset of the sandbox's WebSocket port from its control port. */
const socketOffset = 21;
