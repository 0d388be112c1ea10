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

/** The process whose CPU is measured, and how long its idle CPU is measured beforehand. */
export interface Reader {
  readonly idleMs: number;
  cpuSeconds(): Promise<number>;
}

/** Returns the CPU milliseconds of one message, less what the process takes idle. */
export async function taken(reader: Reader, chat: Chat, count: number, signal: AbortSignal): Promise<number> {
  const idleFrom = { at: performance.now(), cpuSeconds: await reader.cpuSeconds() };
  await sleep(reader.idleMs, undefined, { signal });
  const from = { at: performance.now(), cpuSeconds: await reader.cpuSeconds() };
  const idleShare = ((from.cpuSeconds - idleFrom.cpuSeconds) * 1_000) / (from.at - idleFrom.at);
  await write(chat, count, signal);
  const cpuMs = ((await reader.cpuSeconds()) - from.cpuSeconds) * 1_000 - idleShare * (performance.now() - from.at);
  return cpuMs / count;
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
