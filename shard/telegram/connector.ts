import { Api } from "telegram";
import type { Ending } from "../../shared/flow/ending.js";
import { sessionNotConnected } from "../../shared/contract/errors.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { DeletedMessages, EditedMessages } from "../../shared/media/message-media.js";
import { recentCache } from "../flow/recent-cache.js";
import { Broadcast } from "../flow/broadcast.js";
import type { ReportedEnd } from "../session/connection-end.js";
import type { Connector, PasswordLogin, StoresUpdates } from "../session/connector.js";
import { reasonOf } from "../session/refusal.js";
import type { AccountRefs } from "../session/message-refs.js";
import type { ConnectorContext } from "../session/session-context.js";
import { AccountConnection } from "./account-connection.js";
import { ChatDirectory } from "./chats/chat-directory.js";
import type { Client } from "./client.js";
import { withoutApp } from "./connection-end.js";
import { errorName, isSignedOut } from "./errors.js";
import { MediaFiles } from "./media/media-files.js";
import { SentMessages } from "./message/sent-message.js";
import { PeerStore } from "./peers.js";
import { PhoneDirectory } from "./phone-directory.js";
import type { TelegramServices } from "./services.js";
import { EventReader } from "./updates/event-reader.js";
import { People } from "./updates/people.js";
import { UpdateFeed } from "./updates/update-feed.js";

const writersMax = 1_000;
/** Limits of a first offence last a day or more. Another refusal after that begins another day. */
const peerFloodMs = 24 * 3_600_000;

/** One account of the platform: the part that its commands use, and its connection. */
export class TelegramConnector implements Connector, PasswordLogin, StoresUpdates {
  readonly id: SessionId;
  readonly peers: PeerStore;
  readonly chats: ChatDirectory;
  readonly phones: PhoneDirectory;
  readonly files: MediaFiles;
  readonly refs: AccountRefs;
  readonly sent = new SentMessages();
  /** People who are known to have written to the account, by marked id. Filled only while the account is restricted. */
  readonly writers = recentCache<object>(writersMax);
  private readonly account: AccountConnection;
  private readonly updates: UpdateFeed;
  private readonly logins = new Broadcast<Client>();

  constructor(
    readonly context: ConnectorContext,
    readonly services: TelegramServices,
  ) {
    this.id = context.id;
    this.peers = new PeerStore(context.peers, context.log, () => context.pace.boundsNewContacts);
    this.chats = new ChatDirectory(this.peers);
    this.phones = new PhoneDirectory(this.peers, (digits) => this.account.fingerprint(digits), services.timing.phoneGapMs);
    this.files = new MediaFiles(this.chats);
    this.refs = services.refs.of(context);
    this.updates = this.createFeed();
    this.account = new AccountConnection(context, services, {
      peers: this.peers,
      updates: this.updates,
      onEntered: (client) => this.logins.send(client),
    });
  }

  /** Returns the id of the account; empty without a login. */
  readonly self = (): string => {
    const state = this.context.state();
    return "account" in state ? state.account.generatedId : "";
  };

  get isOff(): boolean {
    return this.services.app === undefined;
  }

  /** Returns the connection of the logged-in account. Throws `session not connected` when there is none. */
  connected(): Client {
    const { client } = this.account;
    if (client === undefined || !client.alive || this.context.state().kind !== "connected") throw sessionNotConnected();
    return client;
  }

  /** Waits up to `ms` milliseconds for the next login. Throws `session not connected` when there is none by then. */
  async reconnected(ms: number, signal: Ending): Promise<Client> {
    if (this.account.client?.alive === true) return this.account.client;
    const client = await this.logins.next(ms, signal, this.context.signal);
    if (client === undefined) throw sessionNotConnected();
    return client;
  }

  /** Returns the signed link of a person's small photo. */
  profileLink(userId: string, photoId: string): string {
    return this.services.links.mediaUrl(this.id, { chatId: userId, messageId: photoId, variant: "profile" }, "jpg");
  }

  /**
   * Checks an error of a command: a removed device shows first in whichever call comes next, and so does a limit of the account, for which
   * the platform names no time.
   */
  noticed(error: unknown): void {
    if (isSignedOut(error)) this.account.end(error);
    if (errorName(reasonOf(error)) !== "PEER_FLOOD") return;
    const until = new Date(Date.now() + peerFloodMs);
    void this.context.health.restrict({ cause: "refusal", reason: "Telegram limits the account (PEER_FLOOD)", until });
  }

  /** Resolves when the account is logged in and the state says so. */
  submitPassword(password: string, signal: Ending): Promise<void> {
    return this.account.submitPassword(password, signal);
  }

  /** Resolves when every update received so far is stored. Resolves at once while no account is connected. */
  async updatesStored(signal: Ending): Promise<void> {
    if (this.context.state().kind === "connected") await this.updates.stored(signal);
  }

  // ---- the interface that the session calls ----

  async load(): Promise<void> {
    await this.account.load();
    // If a process was killed while it dropped an account, part of the account's data is still stored.
    if (this.account.isNew && this.context.state().kind !== "awaiting-qr") await this.forget();
  }

  async connect(signal: Ending): Promise<ReportedEnd> {
    const { app } = this.services;
    if (app === undefined) return withoutApp();
    const end = await this.account.connect(app, signal);
    if (end.kind === "migrate") this.account.migrate(end);
    return end;
  }

  async logOut(signal: Ending): Promise<void> {
    await this.account.client?.invoke(new Api.auth.LogOut(), { signal });
  }

  /** The update cursor stays, because it names its account. If the same account logs in again, missed updates are delivered. */
  async forget(): Promise<void> {
    await this.account.forget();
    await this.peers.clear();
    await this.context.pace.forget();
    this.updates.clear();
    this.chats.clear();
    this.files.clear();
    this.sent.clear();
    this.writers.clear();
  }

  async finish(): Promise<void> {
    await this.peers.stop();
    await this.account.idle();
  }

  private async endLinks(deleted: DeletedMessages): Promise<void> {
    this.files.forget(deleted);
    const account = this.self();
    if (account !== "") await this.services.deletedMedia.forget({ session: this.id, account }, deleted);
  }

  private async refreshLinks(edited: EditedMessages): Promise<void> {
    const account = this.self();
    if (account !== "") await this.services.deletedMedia.refresh({ session: this.id, account }, edited);
  }

  private createFeed(): UpdateFeed {
    const { context, services } = this;
    const { gapMs, positionMs, backoffMinMs, backoffMaxMs } = services.timing;
    const people = new People(this.peers, (userId, photoId) => this.profileLink(userId, photoId));
    const reader = new EventReader({
      session: context.id,
      log: context.updates,
      links: services.links,
      refs: this.refs,
      people,
      peers: this.peers,
      self: this.self,
      logger: context.log,
    });
    const onRefused = (error: unknown): void => this.noticed(error);
    const onDeleted = (deleted: DeletedMessages): Promise<void> => this.endLinks(deleted);
    return new UpdateFeed({
      onDeleted,
      onEdited: (edited) => this.refreshLinks(edited),
      log: context.updates,
      logger: context.log,
      reader,
      people,
      peers: this.peers,
      requested: () => context.requestedEvents(),
      metrics: services.metrics ?? {},
      onRefused,
      gapMs,
      positionMs,
      backoffMinMs,
      backoffMaxMs,
    });
  }
}
