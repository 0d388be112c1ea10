import { sessionNotConnected } from "../../shared/contract/errors.js";
import type { SessionId } from "../../shared/contract/ids.js";
import { Broadcast } from "../flow/broadcast.js";
import { untilAborted } from "../../shared/flow/abort-scope.js";
import type { ReportedEnd } from "../session/connection-end.js";
import type { Connector, PairingCode, StoresUpdates } from "../session/connector.js";
import type { AccountRefs } from "../session/message-refs.js";
import type { ConnectorContext } from "../session/session-context.js";
import { Typing } from "../session/typing.js";
import { AccountConnection } from "./account-connection.js";
import { AccountStanding } from "./account-standing.js";
import { AddressBook } from "./address-book.js";
import { BookSync } from "./book-sync.js";
import type { Client } from "./client.js";
import { KnownPolls } from "./events/known-polls.js";
import { Reuploads } from "./media/reuploads.js";
import { ChatTimers, noTimer } from "./message/chat-timers.js";
import { startingTimer } from "./message/disappearing.js";
import { ContactTokens } from "./message/contact-tokens.js";
import type { WhatsAppServices } from "./services.js";
import { ShownAccount } from "./shown-account.js";
import { TypingIndicator } from "./typing-indicator.js";

/** Connects one account: the services that its commands use, and the connection that the session drives. */
export class WhatsAppConnector implements Connector, PairingCode, StoresUpdates {
  readonly id: SessionId;
  readonly book: AddressBook;
  readonly bookSync: BookSync;
  readonly account: AccountConnection;
  readonly timers: ChatTimers;
  readonly contactTokens: ContactTokens;
  readonly standing: AccountStanding;
  readonly typing: Typing;
  readonly refs: AccountRefs;
  readonly polls: KnownPolls;
  /** The account's name and picture in the session's record. */
  readonly shown: ShownAccount;
  readonly reuploads = new Reuploads();
  /** Sends each new connection; `undefined` means that none will follow. */
  private readonly logins = new Broadcast<Client | undefined>();

  constructor(
    readonly context: ConnectorContext,
    readonly services: WhatsAppServices,
  ) {
    const { log, secrets } = context;
    this.id = context.id;
    this.book = new AddressBook(context.peers, log);
    this.contactTokens = new ContactTokens(context.peers, log);
    this.standing = new AccountStanding(context.health, log);
    this.timers = new ChatTimers(context.peers, log);
    this.bookSync = new BookSync(this.book, services.timing.syncMs, log);
    const indicator = new TypingIndicator({
      secrets,
      connected: () => this.connected(),
      current: () => this.account.client,
      idle: () => this.typing.idle,
      addressOf: (client, chat) => this.account.addresses.one(client, chat),
    });
    const onTypingError = (error: unknown): void => log.debug({ err: error }, "typing indicator not cleared");
    this.typing = new Typing(indicator, onTypingError);
    this.shown = new ShownAccount(context);
    this.refs = services.refs.of(context);
    this.polls = new KnownPolls(secrets);
    this.account = new AccountConnection(
      context,
      services,
      { book: this.book, polls: this.polls },
      {
        // This runs before any command can show typing, so a new indicator is not taken for a leftover.
        onEntering: (client) => void indicator.hideLeftOvers(client).catch(onTypingError),
        onEntered: (client, signal) => {
          this.logins.send(client);
          void this.shown.showPicture(client, signal);
          if (client.defaultTimer === undefined)
            void client.readDefaultTimer().catch((error: unknown) => log.info({ err: error }, "default timer not read"));
          // The restriction may have ended while the account was away.
          if (context.health.restriction !== undefined) void this.standing.refresh(client);
          // Without its keys the app state was never read. When they arrive, reading it brings the salt as well.
          if (client.hasAppStateKey) void this.contactTokens.ensure(client);
        },
        onLeaving: () => this.typing.stop(),
        onProfile: (client) => this.shown.showName(client),
        onSalt: (salt) => this.contactTokens.learn(salt),
        onHistorySalt: (salt) => this.contactTokens.learnFromHistory(salt),
        onChats: (timers) => this.timers.learnAll(timers),
        onTimer: (client, jid, timer) => this.timers.learn(client.sock.authState.keys, jid, timer),
        onMessage: (client, jid, isOwn) =>
          this.timers.start(client.sock.authState.keys, jid, isOwn ? noTimer : startingTimer(client.defaultTimer?.seconds ?? 0)),
        onLock: (state) => void this.standing.learnLock(state),
        onCap: (info) => void this.standing.learnCap(info),
        onAppStateKey: (client) => this.bookSync.soon(client),
        onContacts: (contacts) => this.book.learn(contacts),
      },
    );
  }

  /** The connection of the logged-in account. Throws `session not connected` at once while there is none. */
  connected(): Client {
    const { client } = this.account;
    if (client === undefined || !client.alive || this.context.state().kind !== "connected") throw sessionNotConnected();
    return client;
  }

  /**
   * Returns the account's next connection, or `undefined` if none opens within `ms`. Throws `session not connected` when the login is
   * over.
   */
  async reconnected(ms: number, signal: AbortSignal): Promise<Client | undefined> {
    if (this.account.client?.alive === true) return this.account.client;
    if (!this.account.paired) throw sessionNotConnected();
    const client = await this.logins.next(ms, signal, this.context.signal);
    if (client === undefined && !this.account.paired) throw sessionNotConnected();
    return client;
  }

  /** Requests a pairing code instead of QR codes. */
  pairBy(phone: string): void {
    this.account.pairBy(phone);
  }

  updatesStored(): Promise<void> {
    return Promise.resolve();
  }

  // ---- the connector, as the session uses it ----

  async load(): Promise<void> {
    await this.account.load();
    // A process that was killed while it forgot an account has left parts of it.
    if (!this.account.paired && this.context.state().kind !== "awaiting-qr") await this.forget();
  }

  connect(signal: AbortSignal): Promise<ReportedEnd> {
    return this.account.connect(signal);
  }

  async logOut(signal: AbortSignal): Promise<void> {
    const { client } = this.account;
    if (client === undefined) return;
    // Some servers close the connection instead of responding.
    await untilAborted(Promise.race([client.removeDevice(), client.ended]), signal);
  }

  async forget(): Promise<void> {
    await this.account.forget();
    await Promise.all([this.timers.idle(), this.contactTokens.idle()]);
    this.timers.clear();
    this.contactTokens.clear();
    this.reuploads.clear();
    await this.book.clear();
    await this.context.chatHistory.clear();
    await this.context.pace.forget();
    this.logins.send(undefined);
  }

  async finish(): Promise<void> {
    await Promise.all([this.book.idle(), this.timers.idle(), this.contactTokens.idle()]);
    await this.account.finish();
  }
}
