import type { ComponentChildren } from "preact";
import type { Platform, StateName } from "../api/rows.js";
import type { Tone } from "./tone.js";

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      <span class="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

const states: Readonly<Record<StateName | "deleted", readonly [Tone, string]>> = {
  connected: ["good", "Connected"],
  "awaiting-qr": ["info", "Waits for scan"],
  "awaiting-password": ["warn", "Waits for password"],
  disconnected: ["bad", "Disconnected"],
  deleted: ["idle", "Deleted"],
};

export function StateBadge({ state }: { state: StateName | "deleted" }) {
  const [tone, text] = states[state];
  return <Badge tone={tone}>{text}</Badge>;
}

export const platformNames: Readonly<Record<Platform, string>> = { telegram: "Telegram", whatsapp: "WhatsApp" };

export function PlatformBadge({ platform }: { platform: Platform }) {
  return <span class={`platform ${platform}`}>{platformNames[platform]}</span>;
}
