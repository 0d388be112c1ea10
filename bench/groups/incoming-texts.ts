import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway } from "../../test/harness/gateway.js";
import { PlatformSide } from "../../test/harness/platform-side.js";
import type { Received } from "../../test/sandbox/whatsapp/world/received.js";
import { control } from "../sandbox-control.js";

/** The one person who writes: in load mode all people of the sandbox share one key. */
export const author = "4915550001111";

export interface Chat {
  readonly gateway: Gateway;
  readonly account: string;
  readonly chat: string;
  /** Returns how many events have reached the receiver of the account's webhook, if it has one. */
  readonly delivered?: () => Promise<number>;
}

/** Counters that only grow, such as CPU milliseconds, and how long their idle growth is measured beforehand. */
export interface Meter<Counter extends string> {
  readonly idleMs: number;
  read(): Promise<Readonly<Record<Counter, number>>>;
}

/** Returns the growth of each counter for one message, less the growth while idle. */
export async function taken<Counter extends string>(
  meter: Meter<Counter>,
  chat: Chat,
  count: number,
  signal: AbortSignal,
): Promise<Record<Counter, number>> {
  const idleFrom = { at: performance.now(), counters: await meter.read() };
  await sleep(meter.idleMs, undefined, { signal });
  const from = { at: performance.now(), counters: await meter.read() };
  await write(chat, count, signal);
  const to = { at: performance.now(), counters: await meter.read() };
  const perMessage = (counter: Counter): number => {
    const idleGrowth = (from.counters[counter] - idleFrom.counters[counter]) / (from.at - idleFrom.at);
    return (to.counters[counter] - from.counters[counter] - idleGrowth * (to.at - from.at)) / count;
  };
  const counters = Object.keys(to.counters) as Counter[]; // The keys are those of the type.
  return Object.fromEntries(counters.map((counter) => [counter, perMessage(counter)])) as Record<Counter, number>;
}

/** Resolves when the account's device has confirmed all messages and, with a receiver, all events have arrived there. */
export async function write({ gateway, account, chat, delivered }: Chat, count: number, signal: AbortSignal): Promise<void> {
  const platform = new PlatformSide<Received>(gateway, "whatsapp");
  const confirmed = (): Promise<number> => platform.calls("receipt");
  const before = { confirmed: await confirmed(), delivered: (await delivered?.()) ?? 0 };
  for (let n = 0; n < count; n++) {
    signal.throwIfAborted();
    await control(gateway, "whatsapp", "/people/send", { account, chat, from: author, text: `Message ${n}` });
  }
  await reached(confirmed, before.confirmed + count, signal);
  if (delivered !== undefined) await reached(delivered, before.delivered + count, signal);
}

async function reached(read: () => Promise<number>, wanted: number, signal: AbortSignal): Promise<void> {
  const endsAt = performance.now() + stuckMs;
  for (let found = await read(); found < wanted; found = await read()) {
    if (performance.now() > endsAt) throw new Error(`${found} of ${wanted} messages arrived, and no more`);
    await sleep(pollMs, undefined, { signal });
  }
}

const stuckMs = 120_000;
const pollMs = 20;
