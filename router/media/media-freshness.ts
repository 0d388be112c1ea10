import type { MediaAddress } from "../../shared/contract/media.js";
import { isChannel } from "../../shared/media/message-media.js";
import type { MediaSession } from "./media-sessions.js";

/**
 * So long what the shard said of a message is believed, while its session is connected. The platform tells a session of every deletion in its private chats and
 * basic groups, and `MediaMemory` hears of it; of channels it may tell nothing.
 */
const freshMs = 5 * 60_000;
const freshInChannelMs = 60_000;

/** True when the shard has to say whether the message is still there. Only a connected session can be asked. */
export function mustAskAgain({ address, ageMs }: { readonly address: MediaAddress; readonly ageMs: number }, connected: boolean): boolean {
  return connected && ageMs >= freshInChannelMs && (ageMs >= freshMs || (address.variant !== "profile" && isChannel(address.chatId)));
}

/** The login is there, whether or not its connection stands. */
export function isLoggedIn({ kind }: Pick<MediaSession, "kind">): boolean {
  return kind === "connected" || kind === "disconnected";
}

export function isConnected({ active, kind }: Pick<MediaSession, "active" | "kind">): boolean {
  return active && kind === "connected";
}
