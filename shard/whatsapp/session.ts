import { sessionNotConnected } from "../../shared/contract/whatsapp/errors.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { Arrivals } from "../flow/arrivals.js";
import { pause } from "../../shared/flow/pause.js";
import { ConnectionEnd } from "../platform/connection-end.js";
import type { PlatformSession, SessionContext } from "../platform/platform-session.js";
import { type LoopPort, SessionLoop } from "../platform/session-loop.js";
import { Typing } from "../typing/typing.js";
import { AccountLink } from "./account-link.js";
import { AddressBook } from "./address-book.js";
import { BookSync } from "./book-sync.js";
import type { Client } from "./client.js";
import type { End } from "./connection-end.js";
import { closeCode } from "./errors.js";
import { ConnectionLost } from "./network/connection-error.js";
import { ShownAccount } from "./shown-account.js";
import { TypingIndicator } from "./typing-indicator.js";
import type { WhatsAppServices } from "./whatsapp-adapter.js";

/** One account of the platform: what its commands may use, and what each end of a connection means for it. */
export class WhatsAppSession implements PlatformSession, LoopPort<End> {
  readonly platform = "whatsapp";
  readonly id: SessionId;
  readonly book: AddressBook;
  readonly bookSync: BookSync;
  readonly link: AccountLink;
  readonly typing: Typing;
  private readonly loop: SessionLoop<End>;
  private deleting = false;
  /** Connections in a row that the server ended by asking for another. */
  private restarts = 0;
  /** `undefined`: there will be none. */
  private readonly logins = new Arrivals<Client | undefined>();

  constructor(
    readonly context: SessionContext,
    readonly services: WhatsAppServices,
  ) {
    const { log, secrets, connecting } = context;
    this.id = context.id;
    this.loop = new SessionLoop(this, services.timing, log, connecting);
    this.book = new AddressBook(context.peers, log);
    this.bookSync = new BookSync(this.book, services.timing.syncMs, log);
    const indicator = new TypingIndicator({
      secrets,
      connected: () => this.connected(),
      current: () => this.link.client,
      idle: () => this.typing.idle,
    });
    const onTypingError = (error: unknown): void => log.debug({ err: error }, "typing could not be hidden");
    this.typing = new Typing(indicator, onTypingError);
    const account = new ShownAccount(context);
    this.link = new AccountLink(context, services, {
      onEntered: (client, signal) => {
        this.logins.arrive(client);
        indicator.hideLeftOvers(client).catch(onTypingError);
        void account.showPicture(client, signal);
      },
      onLeaving: () => this.typing.stop(),
      onProfile: (client) => account.showName(client),
      onAppStateKey: (client) => this.bookSync.soon(client),
      onContacts: (contacts) => this.book.learn(contacts),
    });
  }

  run(signal: AbortSignal): Promise<void> {
    return this.loop.run(signal);
  }

  close(): Promise<void> {
    return this.loop.close(new ConnectionLost(undefined));
  }

  async logOut(): Promise<void> {
    const client = this.link.client;
    if (client === undefined) return;
    const bound = new AbortController();
    try {
      // Some servers close instead of answering.
      await Promise.race([client.removeDevice(), client.ended, pause(this.services.timing.logOutMs, bound.signal)]);
    } catch (error) {
      this.context.log.info({ err: error }, "device could not be removed on the platform");
    } finally {
      bound.abort();
    }
  }

  /** The connection of the logged-in account. Throws `session not connected` at once while there is none. */
  connected(): Client {
    const { client } = this.link;
    if (client === undefined || !client.alive || this.context.state().kind !== "connected") throw sessionNotConnected();
    return client;
  }

  /** The next connection of the account, `undefined` when there is none within `ms`; throws `session not connected` when its login is over. */
  async reconnected(ms: number, signal: AbortSignal): Promise<Client | undefined> {
    if (this.link.client?.alive === true) return this.link.client;
    if (!this.hasLogin) throw sessionNotConnected();
    const client = await this.logins.next(ms, signal, this.loop.signal);
    if (client === undefined && !this.hasLogin) throw sessionNotConnected();
    return client;
  }

  /** Logs out, forgets the account, and starts over as a new device. Resolves when the state is the initial one. */
  reset(): Promise<void> {
    return this.loop.reset(new ConnectionEnd({ kind: "reset" }), () => this.logOut());
  }

  /** Logs out and marks the session as deleted; the loop ends. */
  async delete(): Promise<void> {
    this.deleting = true;
    try {
      await this.logOut();
      await this.context.dispatch({ type: "deleted-by-owner" });
      this.loop.stop(new ConnectionLost(undefined));
    } finally {
      this.deleting = false;
      this.loop.nudge();
    }
  }

  // ---- the loop's port ----

  get deleted(): boolean {
    return this.context.state().kind === "deleted";
  }

  async load(): Promise<void> {
    await this.link.load();
    // Nobody has verified the connection since the last owner.
    if (this.context.state().kind === "connected") await this.context.dispatch({ type: "connection-lost" });
  }

  connect(connection: AbortController): Promise<End> {
    return this.link.connect(connection);
  }

  async settle(end: End): Promise<number> {
    const { backoff } = this.loop;
    this.services.metrics?.onConnectionEnd?.(end.kind);
    this.restarts = end.kind === "restart" ? this.restarts + 1 : 0;
    switch (end.kind) {
      case "lost":
        this.report(end.cause);
        await this.context.dispatch({ type: "connection-lost" });
        return Math.max(backoff.afterFailure(end.established), end.waitMs);
      case "codes-ended":
        await this.context.dispatch({ type: "connection-lost" });
        return 0;
      case "restart":
        await this.context.dispatch({ type: "connection-lost" });
        // Asked for once after pairing; a server that asks for nothing else must not be obeyed at full speed.
        return this.restarts > restartsMax ? backoff.pauseMs(this.restarts - restartsMax) : 0;
      case "signed-out":
        await this.signOut(end.cause);
        return 0;
      case "reset":
        return 0;
      default:
        return end satisfies never;
    }
  }

  async startOver(): Promise<void> {
    await this.forgetAccount();
    await this.context.dispatch({ type: "reset" });
    this.logins.arrive(undefined);
  }

  async finish(): Promise<void> {
    await this.book.settled();
    await this.link.settled();
  }

  private async signOut(cause: unknown): Promise<void> {
    // What a reset or a deletion has just brought about: its outcome comes with it.
    if (this.loop.resetting) return;
    if (this.deleting) await this.loop.pause(this.services.timing.logOutMs);
    if (this.loop.over) return;
    this.context.log.info({ err: cause }, "login was ended by the platform");
    await this.forgetAccount();
    await this.context.dispatch({ type: "logged-out" });
    this.logins.arrive(undefined);
    this.loop.backoff.reset();
  }

  private async forgetAccount(): Promise<void> {
    await this.link.forget();
    await this.book.clear();
  }

  private report(cause: unknown): void {
    const code = closeCode(cause instanceof ConnectionLost ? cause.cause : cause);
    if (code === 440) this.context.log.error({ err: cause }, "login was used from two places");
    else if (code === 405) this.context.log.error({ err: cause }, "the platform takes this version of the client no longer");
    else if (code === 402) this.context.log.error({ err: cause }, "the account is banned for a while");
    else this.context.log.warn({ err: cause }, "connection lost");
  }

  private get hasLogin(): boolean {
    const { kind } = this.context.state();
    return kind === "connected" || kind === "disconnected";
  }
}

const restartsMax = 3;
