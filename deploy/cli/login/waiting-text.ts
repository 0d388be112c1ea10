import type { Platform } from "../../../shared/contract/platform.js";

const platformNames: Readonly<Record<Platform, string>> = { whatsapp: "WhatsApp", telegram: "Telegram" };
/** Wait after which something is probably wrong. A code comes within a few seconds on a working network. */
const longWaitMs = 15_000;

/** Returns what the terminal shows while a session connects. After a long wait, the text names the command that shows the reason. */
export function waitingText({ id, platform }: { id: string; platform: Platform }, waitedMs: number): string {
  const name = platformNames[platform];
  return waitedMs < longWaitMs
    ? `Connecting to ${name}…`
    : `Still connecting to ${name}. In another terminal, trunkline session show ${id} names the last error.`;
}
