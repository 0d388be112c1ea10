import { isJidGroup, proto, type GroupMetadata, type WAMessageKey } from "@whiskeysockets/baileys";
import { AbortScope, untilAborted } from "../../shared/flow/abort-scope.js";
import type { Route } from "../egress/egress.js";
import { recentCache } from "../flow/recent-cache.js";
import type { ReportedEnd } from "../session/connection-end.js";
import type { ConnectorContext } from "../session/session-context.js";
import type { AddressBook } from "./address-book.js";
import { Addresses } from "./addressing/addresses.js";
import { DeviceLists } from "./addressing/device-lists.js";
import { AuthStore } from "./auth-store.js";
import { Client } from "./client.js";
import type { ClientCaches, ClientEvents } from "./client-options.js";
import { endOf, isVersionRefused } from "./connection-end.js";
import { toAccount } from "./convert.js";
import { admitsAgain, type Reader } from "./group/admits-again.js";
import { Departures, statusJid } from "./group/departures.js";
import { KeyedGroups } from "./group/keyed-groups.js";
import { rememberGroup } from "./group/remember-group.js";
import type { Incoming } from "./events/incoming.js";
import type { OwnJids } from "./events/incoming-stanza.js";
import type { KnownPolls } from "./events/known-polls.js";
import type { MessageEvents } from "./events/message-events.js";
import { openIncoming } from "./events/open-incoming.js";
import type { UnreadableMessages } from "./events/unreadable-messages.js";
import { Registration } from "./login.js";
import { cacheStore } from "./network/cache-store.js";
import { ConnectionLost } from "./network/connection-error.js";
import { toRelayed } from "./network/relayed-message.js";
import type { ChatTimer } from "./message/chat-timers.js";
import { PasskeyLinking } from "./passkey/passkey-linking.js";
import type { WhatsAppServices } from "./services.js";
import type { ClientVersion } from "./version/parse-version.js";

/** Callbacks of one account's connections. A callback must not throw. */
export interface AccountEvents extends Pick<ClientEvents, "onContacts" | "onSalt" | "onHistorySalt" | "onChats" | "onLock" | "onCap"> {
  /** The account is logged in on this connection, but the session's state has not changed yet, so no command uses the connection. */
  onEntering(client: Client): void;
  /** The account is logged in on this connection, until `signal` aborts. */
  onEntered(client: Client, signal: AbortSignal): void;
  /** The connection of a logged-in account is about to be closed. */
  onLeaving(): Promise<void>;
  onProfile(client: Client): void;
  onTimer(client: Client, jid: string, timer: ChatTimer): void;
  onMessage(client: Client, jid: string, isOwn: boolean): void;
  onAppStateKey(client: Client): void;
}

/** Runs one account's connections, each from dialling to its end, and keeps what outlives a connection: the credentials and the caches. */
export class AccountConnection {
  readonly groups = recentCache<GroupMetadata>(groupsMax, groupMs);
  readonly keyedGroups: KeyedGroups;
  readonly departures: Departures;
  readonly passkey: PasskeyLinking;
  readonly devices: DeviceLists;
  readonly addresses = new Addresses();
  readonly messages: MessageEvents;
  private readonly auth: AuthStore;
  private readonly caches: ClientCaches;
  private readonly incoming: Incoming;
  private readonly unreadable: UnreadableMessages;
  private registration: Registration | undefined;
  private signedIn: Client | undefined;

  constructor(
    private readonly context: ConnectorContext,
    private readonly services: WhatsAppServices,
    { book, polls }: { readonly book: Pick<AddressBook, "findOne">; readonly polls: KnownPolls },
    private readonly events: AccountEvents,
  ) {
    this.auth = new AuthStore(context);
    this.passkey = new PasskeyLinking(context, this.auth, services.device, services.timing, (phase, outcome) =>
      services.metrics?.onPasskeyEnded?.(phase, outcome),
    );
    const devices = (this.devices = new DeviceLists((user) => this.keyedGroups.changed(user)));
    this.keyedGroups = new KeyedGroups({
      group: (jid) => this.groups.get(jid),
      devices: (user) => devices.cached(user),
      holders: (jid) => this.auth.keys.holders(jid),
    });
    this.departures = new Departures({
      devices: (user) => devices.cached(user),
      holders: (jid) => this.auth.keys.readHolders(jid),
    });
    this.caches = {
      devices: devices.cache,
      counters: cacheStore(countersMax, countersMs),
      departures: this.departures,
    };
    const { incoming, messages, unreadable } = openIncoming(context, {
      book,
      keys: () => this.auth.keys,
      subjectOf: (group) => this.groups.get(group)?.subject,
      me: () => this.me,
      links: services.links,
      refs: services.refs.of(context),
      polls,
      unreadableMs: services.timing.unreadableMs,
    });
    this.incoming = incoming;
    this.messages = messages;
    this.unreadable = unreadable;
  }

  /** The connection on which the account is logged in. */
  get client(): Client | undefined {
    return this.signedIn;
  }

  /** The account's own JIDs, empty before the login. */
  get me(): OwnJids {
    const { me } = this.auth.creds;
    return { id: me?.id ?? "", lid: me?.lid ?? "" };
  }

  /** True when the platform has linked this device. */
  get paired(): boolean {
    return this.auth.paired;
  }

  async load(): Promise<void> {
    await this.auth.load();
    if (this.paired) await this.unreadable.load();
    this.passkey.arm();
  }

  /** Stops a pending linking by passkey. Resolves when all writes are done. Call it only when no connection will follow. */
  async finish(): Promise<void> {
    this.unreadable.stop();
    this.passkey.stop();
    await this.passkey.idle();
    await this.auth.idle();
  }

  /** Requests a pairing code instead of QR codes; `phone` is digits. */
  pairBy(phone: string): void {
    if (this.registration === undefined) this.auth.pairBy(phone);
    else this.registration.usePhone(phone);
  }

  /**
   * Leaves out the devices that the last message to this group could not be encrypted for, if other devices have the account's key.
   * Returns their count; 0 means that nothing changed.
   */
  leaveOut(group: string, { keyless }: Client): Promise<number> {
    return this.auth.keys.leaveOut(group, (device) => keyless.has(device));
  }

  /** Returns the devices (JIDs) that have the account's key for this group, or for its statuses. */
  async holdersOf(chat: string): Promise<string[]> {
    return Object.entries(await this.auth.keys.readHolders(chat)).flatMap(([device, hasKey]) => (hasKey ? device : []));
  }

  async forget(): Promise<void> {
    this.unreadable.clear();
    await this.auth.forget();
    this.passkey.stop();
    this.groups.clear();
    this.keyedGroups.clear();
    await this.devices.clear();
    await this.caches.counters.flushAll();
  }

  /** Runs one connection. Resolves with how the connection ended once its socket is closed; aborting `ending` ends it. */
  async connect(ending: AbortSignal): Promise<ReportedEnd> {
    const connection = new AbortScope([ending]);
    const { signal } = connection;
    const isLinked = this.auth.paired;
    let client: Client | undefined;
    let version: ClientVersion | undefined;
    let openedAt: number | undefined;
    try {
      signal.throwIfAborted();
      if (!this.context.fence.holds()) throw new ConnectionLost(undefined);
      this.auth.dropUnfinished();
      // Without a stored login, the state's account is stale.
      if (!isLinked && this.context.state().kind !== "awaiting-qr") await this.context.dispatch({ type: "logged-out" });
      await this.refuseForgotten();
      await this.auth.reservePrekeys();
      signal.throwIfAborted();
      const route = this.services.egress.route(await this.context.proxy());
      version = await this.services.versions.current();
      signal.throwIfAborted();
      client = this.open(route, version);
      void client.ended.then((reason) => connection.abort(reason));
      await this.login(client, isLinked, signal);
      openedAt = performance.now();
      await this.enter(client);
      this.events.onEntered(client, signal);
      return await untilAborted(new Promise<never>(() => undefined), signal);
    } catch (error) {
      const established = openedAt !== undefined && performance.now() - openedAt > establishedMs;
      const reason: unknown = signal.aborted ? signal.reason : error;
      const hasNewer = version !== undefined && isVersionRefused(reason) && (await this.hasNewer(version, ending));
      return endOf(reason, { established, hadLogin: this.auth.paired, hasNewer });
    } finally {
      if (this.signedIn !== undefined) await this.events.onLeaving();
      this.signedIn = undefined;
      connection.abort(new ConnectionLost(undefined));
      connection.close();
      this.passkey.gone();
      await client?.close();
      await this.registration?.idle();
      this.registration = undefined;
      await this.auth.idle();
    }
  }

  private open(route: Route, version: ClientVersion): Client {
    const { context, services, caches, auth, events } = this;
    const registration = new Registration(context, auth, () => client, services.timing.qrMs);
    this.registration = registration;
    const client: Client = new Client({
      auth,
      fence: context.fence,
      route,
      onSocket: (socket) => services.incoming?.order(socket, context.id),
      version,
      services,
      caches,
      events: {
        onReferences: (references) => registration.onReferences(references),
        onQr: (text) => {
          registration.onQr(text);
          this.passkey.ready(client);
        },
        onRefresh: () => registration.onRefresh(),
        onPasskeyRequest: (stanza) => {
          registration.stopCodes();
          this.passkey.onRequest(client, stanza);
        },
        onContinuation: (stanza) => this.passkey.onContinuation(client, stanza),
        onContacts: (contacts) => events.onContacts(contacts),
        onProfile: () => {
          if (this.signedIn === client) events.onProfile(client);
        },
        onGroupChanged: (jid) => this.groups.delete(jid),
        onMigrated: () => this.groups.clear(),
        onSalt: (salt) => events.onSalt(salt),
        onHistorySalt: (salt) => events.onHistorySalt(salt),
        onChats: (timers) => events.onChats(timers),
        onTimer: (jid, timer) => events.onTimer(client, jid, timer),
        onMessage: (jid, isOwn) => events.onMessage(client, jid, isOwn),
        onDevicesChanged: (jids) => this.forgetDevices(client, jids),
        onLock: (state) => events.onLock(state),
        onCap: (info) => events.onCap(info),
        onAppStateKey: () => events.onAppStateKey(client),
      },
      incoming: this.incoming,
      group: (jid) => this.groupFor(client, jid),
      readSent: (key) => this.readSent(client, key),
    });
    return client;
  }

  private hasNewer(version: ClientVersion, ending: AbortSignal): Promise<boolean> {
    return untilAborted(this.services.versions.refused(version), ending).catch(() => false);
  }

  /** A passkey challenge that the state shows but that is not stored with the device cannot be completed, so it is cancelled. */
  private async refuseForgotten(): Promise<void> {
    const state = this.context.state();
    if (this.auth.paired || this.auth.attempt !== undefined || state.kind !== "awaiting-qr" || state.passkey === undefined) return;
    await this.passkey.interrupted(state.passkey);
  }

  /** A known device is logged in or refused within seconds, so its login has a time limit. A new device waits for its owner. */
  private async login(client: Client, isLinked: boolean, signal: AbortSignal): Promise<void> {
    const bound = new AbortScope([signal], isLinked ? this.services.timing.loginMs : undefined, new ConnectionLost(undefined));
    try {
      await untilAborted(client.opened, bound);
    } finally {
      bound.close();
    }
  }

  /** The credentials are stored before the state becomes `connected`, so the account survives a crash from then on. */
  private async enter(client: Client): Promise<void> {
    this.auth.pairBy("");
    this.passkey.linked();
    await this.auth.idle();
    if (!client.alive) throw new ConnectionLost(undefined);
    this.signedIn = client;
    this.events.onEntering(client);
    await this.context.dispatch({ type: "logged-in", account: toAccount(client.me, this.context.state()) });
  }

  /** The next message reads the device list from the platform. */
  private forgetDevices(client: Client, jids: readonly string[]): void {
    this.devices.forget(client, jids).catch((error: unknown) => this.context.log.warn({ err: error }, "changed devices not removed"));
  }

  /** Reads the group here if it was evicted during the send: `departures` must know the members that the library encrypts for. */
  private async groupFor(client: Client, jid: string): Promise<GroupMetadata> {
    const remembered = await rememberGroup(this.groups, client, jid);
    const group = this.keyedGroups.groupFor(jid) ?? remembered;
    this.departures.addressing(group);
    return group;
  }

  private async readSent(client: Client, { id, remoteJid, participant }: WAMessageKey): Promise<proto.IMessage | undefined> {
    const content = id === undefined || id === null ? undefined : await this.context.sent.read(id);
    if (content === undefined) return undefined;
    const chat = remoteJid ?? "";
    if (isJidGroup(chat) === true || chat === statusJid) {
      const readers = chat === statusJid ? await this.statusReaders() : await this.membersOf(client, chat);
      const { me } = client;
      const requester = await admitsAgain(this.auth.keys, chat, participant ?? "", [...readers, [me.id, me.lid]]);
      if (requester === undefined) return undefined;
      await this.devices.expect(requester);
    }
    return toRelayed(proto.Message.decode(content));
  }

  private async membersOf(client: Client, jid: string): Promise<Reader[]> {
    const { participants } = await rememberGroup(this.groups, client, jid);
    return participants.map(({ id, lid = id, phoneNumber = id }) => [id, lid, phoneNumber]);
  }

  /** Returns the readers of a status: every device that holds the current status key. */
  private async statusReaders(): Promise<Reader[]> {
    return Object.keys(await this.auth.keys.readHolders(statusJid)).map((jid) => [jid]);
  }
}

/** A connection that ended sooner counts as a failed attempt, so that the next one backs off. */
const establishedMs = 10_000;

/** The cache of group metadata for sends. The platform announces changes, which evict a group earlier. */
const groupsMax = 50;
const groupMs = 3_600_000;
const countersMax = 1_000;
const countersMs = 3_600_000;
