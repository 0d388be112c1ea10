import { Api } from "telegram";
import { RPCError } from "telegram/errors/index.js";
import type { Ending } from "../../shared/flow/ending.js";
import type { Client } from "./client.js";
import { isSignedOut } from "./errors.js";
import { pause } from "../../shared/flow/pause.js";
import type { TelegramTiming } from "./timing.js";

export interface KeepAliveOptions {
  readonly timing: TelegramTiming;
  /** Aborts when an error casts doubt on the login. */
  readonly probe: { next(): Ending };
  readonly signedIn: () => boolean;
  /** Receives the position of the account's updates on the platform. */
  readonly onState: (state: Api.updates.State) => void;
}

/**
 * Pings one connection every 20 to 25 s until it ends. Every fourth time, or when `probe` aborts, it makes a call that fails for a removed
 * device. GramJS's own loop pings every 9 s, which costs half a core at 10,000 accounts.
 */
export async function keepAlive(client: Client, { timing, probe, signedIn, onState }: KeepAliveOptions, signal: Ending): Promise<void> {
  for (let round = 1; !signal.aborted; round++) {
    const wanted = probe.next();
    await pause(timing.pingMinMs + Math.random() * (timing.pingMaxMs - timing.pingMinMs), wanted, signal);
    if (signal.aborted) return;
    await client.ping(signal);
    // This call also keeps updates coming: the server stops sending them to a client without requests.
    if (signedIn() && (wanted.aborted || round % pingsPerState === 0)) await checkState(client, timing.pongMs, onState, signal);
  }
}

/** Every 80 to 100 s. */
const pingsPerState = 4;

/** Any reply except "signed out" proves that the connection works, even a flood wait. */
async function checkState(client: Client, deadlineMs: number, onState: KeepAliveOptions["onState"], signal: Ending): Promise<void> {
  try {
    onState(await client.invoke(new Api.updates.GetState(), { signal, deadlineMs, waitOutFloods: false, repeatable: false }));
  } catch (error) {
    if (!(error instanceof RPCError) || isSignedOut(error)) throw error;
  }
}
