import { Long } from "@mtcute/core";
import type { Api, TelegramClient } from "telegram";
import { Raw } from "telegram/events/index.js";
import { mtcuteLogin, type MtcuteClient } from "./mtcute-client.js";
import { TestSandbox } from "./sandbox-client.js";

/** A sandbox with Alice on GramJS in the sandbox's layer, and Bob on mtcute in a later one. */
export class TwoClients {
  /** Updates pushed to Alice's client. */
  readonly seen: Api.TypeUpdate[] = [];

  private constructor(
    readonly sandbox: TestSandbox,
    readonly alice: TelegramClient,
    public bob: MtcuteClient,
  ) {
    alice.addEventHandler((update: Api.TypeUpdate) => this.seen.push(update), new Raw({}));
  }

  static async start(): Promise<TwoClients> {
    const sandbox = await TestSandbox.start();
    return new TwoClients(sandbox, await sandbox.loggedIn("alice"), await mtcuteLogin(sandbox.telegram, "bob"));
  }

  /** Logs Bob in again. Alice's client only knows the old ports and stays disconnected. */
  async restart(): Promise<void> {
    await this.bob.client.destroy();
    await this.sandbox.restart();
    this.bob = await mtcuteLogin(this.sandbox.telegram, "bob");
  }

  async stop(): Promise<void> {
    await this.bob.client.destroy();
    await this.sandbox.stop();
  }

  userId(account: "alice" | "bob"): number {
    return this.sandbox.telegram.world.accounts.get(account)?.userId ?? 0;
  }

  /** Returns the access hash with which Bob's client names a user or a channel. */
  bobsHash(kind: "user" | "channel", id: number): Long {
    return Long.fromString(this.sandbox.telegram.world.secrets.accessHash("bob", kind, id));
  }
}
