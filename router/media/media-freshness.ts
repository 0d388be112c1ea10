import type { MediaAddress } from "../../shared/contract/media.js";
import { isChannel } from "../../shared/media/message-media.js";
import type { MediaSession } from "./media-sessions.js";

/**
 * How long a shard's description of a message holds while its session is connected. The platform reports every deletion in private chats
 * and basic groups, which `MediaMemory` receives; it may not report those in channels.
 */
const freshMs = 5 * 60_000;
const freshInChannelMs = 60_000;

/** Returns true if the shard must confirm that the message still exists. Only a connected session can confirm it. */
export function mustReadAgain({ address, ageMs }: { readonly address: MediaAddress; readonly ageMs: number }, connected: boolean): boolean {
  return connected && ageMs >= freshInChannelMs && (ageMs >= freshMs || (address.variant !== "profile" && isChannel(address.chatId)));
}

/** Returns true if the session has a login, connected or not. */
export function isLoggedIn({ kind }: Pick<MediaSession, "kind">): boolean {
  return kind === "connected" || kind === "disconnected";
}

export function isConnected({ active, kind }: Pick<MediaSession, "active" | "kind">): boolean {
  return active && kind === "connected";
}
