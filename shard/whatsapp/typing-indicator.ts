import type { SecretMap } from "../session/session-context.js";
import type { TypingKind, TypingPort } from "../session/typing.js";
import type { Client } from "./client.js";
import { ShownChats } from "./shown-chats.js";

export interface TypingIndicatorOptions {
  readonly secrets: SecretMap;
  /** Throws `session not connected`. */
  readonly connected: () => Client;
  /** The connection of the logged-in account, if there is one. */
  readonly current: () => Client | undefined;
  /** True while nothing is shown. */
  readonly idle: () => boolean;
  /** Returns the JID by which a stanza may name the chat. */
  readonly addressOf: (client: Client, chat: string) => Promise<string>;
}

/** Shows typing through chat states, which others see only while the account counts as online. */
export class TypingIndicator implements TypingPort {
  private readonly shown: ShownChats;
  /** The connection on which this adapter last set the account to online. */
  private online: Client | undefined;

  constructor(private readonly options: TypingIndicatorOptions) {
    this.shown = new ShownChats(options.secrets);
  }

  async show(chat: string, kind: TypingKind): Promise<void> {
    const client = this.options.connected();
    await this.shown.add(chat);
    if (this.online !== client) {
      // Set before the write: frames leave in the order of the calls, and the last presence counts. The library sends no presence for an
      // account without a name.
      this.online = client.sock.authState.creds.me?.name ? client : undefined;
      await client.sock.sendPresenceUpdate("available");
    }
    await this.send(client, kind === "audio" ? "recording" : "composing", chat);
  }

  async hide(chat: string): Promise<void> {
    const client = this.options.current();
    if (client?.alive !== true) return;
    await this.send(client, "paused", chat);
    await this.shown.remove(chat);
    // While the account is offline, the phone gets notifications.
    if (this.options.idle()) await this.leave(client);
  }

  /** Runs after a login. Hides indicators that a killed process or a broken connection left shown. */
  async hideLeftOvers(client: Client): Promise<void> {
    const chats = await this.shown.stored();
    if (chats.length === 0) return;
    for (const chat of chats) await this.send(client, "paused", chat);
    if (this.options.idle()) await this.leave(client);
    await this.shown.forget(chats);
  }

  private async send(client: Client, state: "composing" | "recording" | "paused", chat: string): Promise<void> {
    await client.sock.sendPresenceUpdate(state, await this.options.addressOf(client, chat));
  }

  private async leave(client: Client): Promise<void> {
    this.online = undefined;
    await client.sock.sendPresenceUpdate("unavailable");
  }
}
