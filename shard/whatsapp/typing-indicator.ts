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

/** How the platform shows typing: chat states, which others see only while the account counts as online. */
export class TypingIndicator implements TypingPort {
  private readonly shown: ShownChats;
  /** The connection on which the account counts as online since the last time that we said so. */
  private online: Client | undefined;

  constructor(private readonly options: TypingIndicatorOptions) {
    this.shown = new ShownChats(options.secrets);
  }

  async show(chat: string, kind: TypingKind): Promise<void> {
    const client = this.options.connected();
    await this.shown.add(chat);
    if (this.online !== client) {
      // Before it is written, not after: what is said last is what counts, and frames leave in the order of the calls. Of an account without a name the library says nothing.
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
    // The phone gets its notifications again.
    if (this.options.idle()) await this.leave(client);
  }

  /** After a login: hides what a killed process, or a connection that broke, could not. */
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
