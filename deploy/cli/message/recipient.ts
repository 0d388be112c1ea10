import type { Platform } from "../../../shared/contract/platform.js";
import { usageError } from "../exit-code.js";

const kinds: Readonly<Record<Platform, readonly string[]>> = {
  whatsapp: ["phone", "user", "group", "newsletter"],
  telegram: ["phone", "group", "channel", "user", "username"],
};

/**
 * Returns the recipient field for `--to`. A prefix `kind:` decides; otherwise the form of the value does. The gateway validates the value
 * itself.
 */
export function recipientOf(platform: Platform, to: string): Record<string, string> {
  const [, kind = "", named = ""] = /^([a-z]+):(?!\/)(.+)$/.exec(to) ?? [];
  if (kinds[platform].includes(kind)) return { [kind]: named };
  if (kind !== "")
    throw usageError(`--to does not support ${kind}: on ${platform}; use ${kinds[platform].map((one) => `${one}:`).join(", ")}`);
  return platform === "whatsapp" ? onWhatsApp(to) : onTelegram(to);
}

function onWhatsApp(to: string): Record<string, string> {
  if (to.endsWith("@g.us")) return { group: to };
  if (to.endsWith("@newsletter")) return { newsletter: to };
  if (/@(lid|s\.whatsapp\.net)$/.test(to)) return { user: to };
  return { phone: to };
}

/** Negative ids are groups or channels. Only the owner knows which, and the platform accepts either field. */
function onTelegram(to: string): Record<string, string> {
  if (/^-\d+$/.test(to)) return { group: to };
  if (/^(\+|00)[\d\s().-]+$/.test(to)) return { phone: to };
  if (/^\d+$/.test(to)) return { user: to };
  return { username: to };
}
