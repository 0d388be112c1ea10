import { readFile } from "node:fs/promises";
import { join } from "node:path";
import typia from "typia";
import type { Gateway } from "../../test/harness/gateway.js";
import { Child } from "../child.js";
import type { TextServer, TextServerUsage } from "../conversation/text-server.js";
import type { MadeLogin } from "../logins/stored-logins.js";
import { firstDcOffset } from "./first-dc-offset.js";

export type BareGramTextsMessage =
  /** Connects a client for each login, then serves texts. `met[i]` are phone numbers that client `i` resolves beforehand. */
  | {
      readonly kind: "start";
      readonly firstDcPort: number;
      readonly publicKey: string;
      readonly logins: readonly { readonly dcId: number; readonly authKey: string }[];
      readonly met: readonly (readonly string[])[];
    }
  | { readonly kind: "usage" };

/** GramJS as installed, with several accounts behind an HTTP server in one process. The caller must stop it. */
export async function startBareGramTexts(
  gateway: Gateway,
  logins: readonly MadeLogin[],
  met: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<TextServer> {
  const child = Child.start<BareGramTextsMessage>("bare GramJS", "./baseline/bare-gramjs-texts-process.js", signal);
  try {
    const publicKey = await readFile(join(gateway.dataDir, "sandbox", "telegram-public.pem"), "utf8");
    const keys = logins.map(({ dcId = 1, authKey = "" }) => ({ dcId, authKey }));
    const firstDcPort = Number(new URL(gateway.sandbox).port) + firstDcOffset;
    const { port } = isStarted(
      await child.request({ kind: "start", firstDcPort, publicKey, logins: keys, met }, startMs + keys.length * loginMs),
    );
    return {
      pid: child.pid,
      origin: `http://127.0.0.1:${port}`,
      usage: async () => isUsage(await child.request({ kind: "usage" }, usageMs)),
      stop: () => child.stop(),
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Telegram lets each account resolve one number in 3 seconds. */
const startMs = 120_000;
/** All clients log in at once, on one core. */
const loginMs = 500;
const usageMs = 15_000;
const isStarted = typia.createAssert<{ port: number }>();
const isUsage = typia.createAssert<TextServerUsage>();
