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
  "awaiting-qr": ["info", "Awaiting scan"],
  "awaiting-password": ["warn", "Password required"],
  disconnected: ["bad", "Disconnected"],
  deleted: ["idle", "Deleted"],
};

/** `hasPairingCode`: the code is entered on the phone, not scanned. */
export function StateBadge({ state, hasPairingCode = false }: { state: StateName | "deleted"; hasPairingCode?: boolean }) {
  const [tone, text] = states[state];
  return <Badge tone={tone}>{state === "awaiting-qr" && hasPairingCode ? "Awaiting pairing" : text}</Badge>;
}

/** Shown while the platform restricts the account; nothing for an empty `until`. */
export function RestrictedBadge({ until }: { until: string }) {
  return until === "" ? null : <Badge tone="warn">Restricted</Badge>;
}

export const platformNames: Readonly<Record<Platform, string>> = { telegram: "Telegram", whatsapp: "WhatsApp" };

export function PlatformBadge({ platform }: { platform: Platform }) {
  return <span class={`platform ${platform}`}>{platformNames[platform]}</span>;
}
