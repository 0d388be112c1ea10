import { Api } from "telegram";
import { sessionNotConnected } from "../../shared/contract/telegram/errors.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { DeletedMessages } from "../../shared/media/message-media.js";
import { Arrivals } from "../flow/arrivals.js";
import { ConnectionEnd } from "../platform/connection-end.js";
import type { PlatformSession, SessionContext } from "../platform/platform-session.js";
import { type LoopPort, SessionLoop } from "../platform/session-loop.js";
import { AccountLink } from "./account-link.js";
import { ChatDirectory } from "./chats/chat-directory.js";
import type { Client } from "./client.js";
import type { End } from "./connection-end.js";
import { errorName, isSignedOut } from "./errors.js";
import { MediaFiles } from "./media/media-files.js";
import { SentMessages } from "./message/sent-message.js";
import { ConnectionLost } from "./network/connection-error.js";
import { PeerStore } from "./peers.js";
import { PhoneDirectory } from "./phone-directory.js";
import type { TelegramServices } from "./telegram-adapter.js";
import { EventReader } from "./updates/event-reader.js";
import { People } from "./updates/people.js";
import { UpdateFeed } from "./updates/update-feed.js";

/** One account of the platform: what its commands may use, and what each end of a connection means for it. */
export class TelegramSession implements PlatformSession, LoopPort<End> {
  readonly platform = "telegram";
  readonly id: SessionId;
  readonly peers: PeerStore;
  readonly chats: ChatDirectory;
  readonly phones: PhoneDirectory;
  readonly files: MediaFiles;
  readonly sent = new SentMessages();
  private readonly link: AccountLink;
  private readonly loop: SessionLoop<End>;
  private readonly updates: UpdateFeed;
  private readonly logins = new Arrivals<Client>();

  constructor(
    readonly context: SessionContext,
    readonly services: TelegramServices,
  ) {
    this.id = context.id;
    this.loop = new SessionLoop(this, services.timing, context.log, context.connecting);
    this.peers = new PeerStore(context.peers, context.log);
    this.chats = new ChatDirectory(this.peers);
    this.phones = new PhoneDirectory(this.peers, (digits) => this.link.fingerprint(digits), services.timing.phoneGapMs);
    this.files = new MediaFiles(this.chats);
    this.updates = this.createFeed();
    this.link = new AccountLink(context, services, {
      peers: this.peers,
      updates: this.updates,
      onEntered: (client) => this.logins.arrive(client),
    });
  }

  run(signal: AbortSignal): Promise<void> {
    return this.loop.run(signal);
  }

  close(): Promise<void> {
    return this.loop.close(new ConnectionLost("lost"));
  }

  async logOut(): Promise<void> {
    const { logOutMs } = this.services.timing;
    const { client } = this.link;
    if (client === undefined) return;
    try {
      await client.invoke(new Api.auth.LogOut(), { signal: this.loop.signal, deadlineMs: logOutMs, repeatable: false });
    } catch (error) {
      this.context.log.info({ err: error }, "device could not be removed on the platform");
    }
  }

  /** The connection of the logged-in account. Throws `session not connected` at once while there is none. */
  connected(): Client {
    const { client } = this.link;
    if (client === undefined || !client.alive || this.context.state().kind !== "connected") throw sessionNotConnected();
    return client;
  }

  /** Waits for the next login, `ms` at most; throws `session not connected` when there is none. */
  async reconnected(ms: number, signal: AbortSignal): Promise<Client> {
    if (this.link.client?.alive === true) return this.link.client;
    const client = await this.logins.next(ms, signal, this.loop.signal);
    if (client === undefined) throw sessionNotConnected();
    return client;
  }

  /** A command met this error: a removed device shows first in whatever is called next. */
  noticed(error: unknown): void {
    if (isSignedOut(error)) this.loop.endConnection(error);
  }

  /** Resolves when the account is logged in and the state says so. */
  submitPassword(password: string, signal: AbortSignal): Promise<void> {
    return this.link.submitPassword(password, signal);
  }

  /** Logs out, forgets the account, and starts over with a new key. Resolves when the state is the initial one. */
  reset(): Promise<void> {
    return this.loop.reset(new ConnectionEnd({ kind: "reset" }), () => this.logOut());
  }

  /** Resolves when what the platform has told so far is stored; while it tells nothing, at once. */
  async updatesStored(signal: AbortSignal): Promise<void> {
    if (this.context.state().kind === "connected") await this.updates.settled(signal);
  }

  /** Logs out and marks the session as deleted; the loop ends. */
  async delete(): Promise<void> {
    await this.logOut();
    await this.context.dispatch({ type: "deleted-by-owner" });
    this.loop.stop(new ConnectionLost("lost"));
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
    switch (end.kind) {
      case "lost":
        this.context.log.warn({ err: end.cause }, "connection lost");
        await this.context.dispatch({ type: "connection-lost" });
        return Math.max(backoff.afterFailure(end.established), end.waitMs);
      case "signed-out":
        await this.signOut(end.cause);
        backoff.reset();
        return 0;
      case "migrate":
        this.link.migrate(end.home, end.token);
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
  }

  async finish(): Promise<void> {
    await this.peers.stop();
    await this.link.settled();
  }

  private async signOut(cause: unknown): Promise<void> {
    if (errorName(cause) === "AUTH_KEY_DUPLICATED") this.context.log.error({ err: cause }, "login was used from two places");
    else this.context.log.info({ err: cause }, "login was ended by the platform");
    await this.forgetAccount();
    await this.context.dispatch({ type: "logged-out" });
  }

  /** The update cursor stays: it names its account, and when the same one logs in again, what happened meanwhile is told of. */
  private async forgetAccount(): Promise<void> {
    await this.link.forget();
    await this.peers.clear();
    this.updates.clear();
    this.chats.clear();
    this.files.clear();
    this.sent.clear();
  }

  private async endLinks(deleted: DeletedMessages): Promise<void> {
    this.files.forget(deleted);
    const state = this.context.state();
    if ("account" in state) await this.services.deletedMedia.forget({ session: this.id, account: state.account.generatedId }, deleted);
  }

  private createFeed(): UpdateFeed {
    const { context, services } = this;
    const { gapMs, backoffMinMs, backoffMaxMs } = services.timing;
    const people = new People(this.peers, (userId, photoId) =>
      services.links.mediaUrl(context.id, { chatId: userId, messageId: photoId, variant: "profile" }, "jpg"),
    );
    const reader = new EventReader({ session: context.id, log: context.updates, links: services.links, people, logger: context.log });
    const onRefused = (error: unknown): void => this.noticed(error);
    const onDeleted = (deleted: DeletedMessages): Promise<void> => this.endLinks(deleted);
    return new UpdateFeed({
      onDeleted,
      log: context.updates,
      logger: context.log,
      reader,
      people,
      metrics: services.metrics ?? {},
      onRefused,
      gapMs,
      backoffMinMs,
      backoffMaxMs,
    });
  }
}
