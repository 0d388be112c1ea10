import { Api } from "telegram";
import { RPCError } from "telegram/errors/index.js";
import type { Client } from "./client.js";
import { isSignedOut } from "./errors.js";
import { pause } from "../../shared/flow/pause.js";
import type { TelegramTiming } from "./timing.js";

export interface KeepAliveOptions {
  readonly timing: TelegramTiming;
  /** Rings when something speaks against the login. */
  readonly probe: { next(): AbortSignal };
  readonly signedIn: () => boolean;
  /** Where the platform says that the account's updates stand. */
  readonly onState: (state: Api.updates.State) => void;
}

/**
 * Checks one connection until it is lost, closed, or the signal ends it: a ping every 20 to 25 s, and every fourth time, or when `probe`
 * rings, a call that a removed device is not allowed. Rejects with whatever the platform answers; a missing answer rejects too.
 * GramJS's own loop pings every 9 s, which at 10,000 accounts costs half a core.
 */
export async function keepAlive(
  client: Client,
  { timing, probe, signedIn, onState }: KeepAliveOptions,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 1; !signal.aborted; round++) {
    const wanted = probe.next();
    await pause(timing.pingMinMs + Math.random() * (timing.pingMaxMs - timing.pingMinMs), wanted, signal);
    if (signal.aborted) return;
    await client.ping(signal);
    // Also what makes the server go on sending updates: it stops when it sees no request for long.
    if (signedIn() && (wanted.aborted || round % pingsPerState === 0)) await askState(client, timing.pongMs, onState, signal);
  }
}

/** Every 80 to 100 s. */
const pingsPerState = 4;

/** Any answer but "signed out" is a sign of life, a flood wait too. */
async function askState(client: Client, deadlineMs: number, onState: KeepAliveOptions["onState"], signal: AbortSignal): Promise<void> {
  try {
    onState(await client.invoke(new Api.updates.GetState(), { signal, deadlineMs, patient: false, repeatable: false }));
  } catch (error) {
    if (!(error instanceof RPCError) || isSignedOut(error)) throw error;
  }
}
