import { type SecretMap } from "../platform/platform-session.js";
import { type TypingKind, type TypingPort } from "../typing/typing.js";
import { type Client } from "./client.js";
import { ShownChats } from "./shown-chats.js";

export interface TypingIndicatorOptions {
  readonly secrets: SecretMap;
  /** Throws `session not connected`. */
  readonly connected: () => Client;
  /** The connection of the logged-in account, if there is one. */
  readonly current: () => Client | undefined;
  /** True while nothing is shown. */
  readonly idle: () => boolean;
}

/** How the platform shows typing: chat states, which others see only while the account counts as online. */
export class TypingIndicator implements TypingPort {
  private readonly shown: ShownChats;

  constructor(private readonly options: TypingIndicatorOptions) {
    this.shown = new ShownChats(options.secrets);
  }

  async show(chat: string, kind: TypingKind): Promise<void> {
    const { sock } = this.options.connected();
    await this.shown.add(chat);
    await sock.sendPresenceUpdate("available");
    await sock.sendPresenceUpdate(kind === "audio" ? "recording" : "composing", chat);
  }

  async hide(chat: string): Promise<void> {
    const client = this.options.current();
    if (client?.alive !== true) return;
    await client.sock.sendPresenceUpdate("paused", chat);
    await this.shown.remove(chat);
    // The phone gets its notifications again.
    if (this.options.idle()) await client.sock.sendPresenceUpdate("unavailable");
  }

  /** After a login: hides what a killed process, or a connection that broke, could not. */
  async hideLeftOvers({ sock }: Client): Promise<void> {
    const chats = await this.shown.stored();
    if (chats.length === 0) return;
    for (const chat of chats) await sock.sendPresenceUpdate("paused", chat);
    if (this.options.idle()) await sock.sendPresenceUpdate("unavailable");
    await this.shown.forget(chats);
  }
}
