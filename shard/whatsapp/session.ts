import { proto, type GroupMetadata } from "@whiskeysockets/baileys";
import { sessionNotConnected } from "../../shared/contract/whatsapp/errors.js";
import { type SessionId } from "../../shared/contract/ids.js";
import { pause } from "../flow/pause.js";
import { recentCache } from "../flow/recent-cache.js";
import { untilAborted } from "../flow/until-aborted.js";
import { Wake } from "../flow/wake.js";
import { type PlatformSession, type SessionContext } from "../platform/platform-session.js";
import { Typing, type TypingKind, type TypingPort } from "../typing/typing.js";
import { AddressBook } from "./address-book.js";
import { otherNames } from "./other-names.js";
import { AuthStore } from "./auth-store.js";
import { Client, type ClientCaches, type ClientEvents } from "./client.js";
import { ConnectionEnd, endOf } from "./connection-end.js";
import { toAccount } from "./convert.js";
import { closeCode } from "./errors.js";
import { Registration } from "./login.js";
import { cacheStore } from "./network/cache-store.js";
import { ConnectionLost } from "./network/connection-error.js";
import { readOwnPicture } from "./own-picture.js";
import { type WhatsAppServices } from "./whatsapp-adapter.js";

/**
 * One account of the platform. `run` is one loop: connect, log in (stored credentials, else QR or pairing code), stay until the connection ends,
 * then decide by how it ended. Each connection is a new Client; what outlives it is the credentials, the address book and the caches.
 */
export class WhatsAppSession implements PlatformSession, TypingPort {
  readonly platform = "whatsapp";
  readonly id: SessionId;
  readonly book: AddressBook;
  readonly typing: Typing;
  readonly groups = recentCache<GroupMetadata>(groupsMax, groupMs);
  private readonly auth: AuthStore;
  private readonly caches: ClientCaches = { devices: cacheStore(devicesMax, devicesMs), counters: cacheStore(countersMax, countersMs), group: (jid) => this.groups.get(jid) };
  private readonly stop = new AbortController();
  /** Ends a pause between two connections. */
  private readonly nudge = new Wake();
  private running: Promise<void> = Promise.resolve();
  /** Ends the current connection; its reason says how. */
  private connection: AbortController | undefined;
  private registration: Registration | undefined;
  private signedIn: Client | undefined;
  private syncing: Promise<void> = Promise.resolve();
  private deleting = false;
  /** Callers that wait for the new start they asked for, and for the next login (`undefined`: there will be none). */
  private resets: (() => void)[] = [];
  private logins: ((client: Client | undefined) => void)[] = [];

  constructor(
    readonly context: SessionContext,
    readonly services: WhatsAppServices,
  ) {
    this.id = context.id;
    this.auth = new AuthStore(context, context.log);
    this.book = new AddressBook(context.peers, context.log);
    this.typing = new Typing(this, (error) => context.log.debug({ err: error }, "typing could not be hidden"));
  }

  run(signal: AbortSignal): Promise<void> {
    const onAbort = (): void => this.stop.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    this.running = this.loop().finally(() => signal.removeEventListener("abort", onAbort));
    return this.running;
  }

  async close(): Promise<void> {
    this.stop.abort(new ConnectionLost(undefined));
    const bound = new AbortController();
    await Promise.race([this.running, pause(this.services.timing.closeMs, bound.signal)]);
    bound.abort();
  }

  async logOut(): Promise<void> {
    const client = this.signedIn;
    if (client === undefined) return;
    const bound = new AbortController();
    try {
      const { id } = client.me;
      const removed = client.query({
        tag: "iq",
        attrs: { to: "@s.whatsapp.net", type: "set", xmlns: "md" },
        content: [{ tag: "remove-companion-device", attrs: { jid: id, reason: "user_initiated" } }],
      });
      // Some servers close instead of answering.
      await Promise.race([removed, client.ended, pause(this.services.timing.logOutMs, bound.signal)]);
    } catch (error) {
      this.context.log.info({ err: error }, "device could not be removed on the platform");
    } finally {
      bound.abort();
    }
  }

  /** The connection of the logged-in account. Throws `session not connected` at once while there is none. */
  connected(): Client {
    const client = this.signedIn;
    if (client === undefined || !client.alive || this.context.state().kind !== "connected") throw sessionNotConnected();
    return client;
  }

  /** The next connection of the account, `undefined` when there is none within `ms`; throws `session not connected` when its login is over. */
  async reconnected(ms: number, signal: AbortSignal): Promise<Client | undefined> {
    if (this.signedIn?.alive === true) return this.signedIn;
    if (!this.hasLogin) throw sessionNotConnected();
    const bound = new AbortController();
    const login = new Promise<Client | undefined>((resolve) => {
      this.logins.push(resolve);
    });
    const client = await Promise.race([login, pause(ms, bound.signal, signal, this.stop.signal).then(() => undefined)]);
    bound.abort();
    if (client === undefined && !this.hasLogin) throw sessionNotConnected();
    return client;
  }

  private get hasLogin(): boolean {
    const { kind } = this.context.state();
    return kind === "connected" || kind === "disconnected";
  }

  /** Asks for a pairing code instead of QR codes; `phone` is digits. */
  pairBy(phone: string): void {
    if (this.registration === undefined) this.auth.pairBy(phone);
    else this.registration.usePhone(phone);
  }

  /** Reads the address book from the platform; `again` also what the platform believes to have told. Bounded; rejects like the platform. */
  async syncBook(client: Client, again: boolean): Promise<void> {
    const { syncMs } = this.services.timing;
    const bound = new AbortController();
    // Without the keys nothing can be read; they come soon after the first login, or not at all.
    const keyed = await Promise.race([client.appStateKey.then(() => true), pause(syncMs - client.ageMs, bound.signal).then(() => false)]);
    if (keyed) await Promise.race([client.syncAppState(again), pause(syncMs, bound.signal)]);
    bound.abort();
    await this.book.settled();
  }

  /** True when the platform has told the address book at least once; false also means that it cannot be asked for. */
  async knowsBook(client: Client): Promise<boolean> {
    const { critical_unblock_low: state } = await client.sock.authState.keys.get("app-state-sync-version", ["critical_unblock_low"]);
    return state !== undefined && state !== null && state.version > 0;
  }

  async show(chat: string, kind: TypingKind): Promise<void> {
    const { sock } = this.connected();
    // Others see the indicator only while the account counts as online.
    await sock.sendPresenceUpdate("available");
    await sock.sendPresenceUpdate(kind === "audio" ? "recording" : "composing", chat);
  }

  async hide(chat: string): Promise<void> {
    const client = this.signedIn;
    if (client?.alive !== true) return;
    await client.sock.sendPresenceUpdate("paused", chat);
    // The phone gets its notifications again.
    if (this.typing.idle) await client.sock.sendPresenceUpdate("unavailable");
  }

  /** Logs out, forgets the account, and starts over as a new device. Resolves when the state is the initial one. */
  async reset(): Promise<void> {
    const done = new Promise<void>((resolve) => {
      this.resets.push(resolve);
    });
    await this.logOut();
    this.connection?.abort(new ConnectionEnd({ kind: "reset" }));
    this.nudge.ring();
    await Promise.race([done, this.running]);
  }

  /** Logs out and marks the session as deleted; the loop ends. */
  async delete(): Promise<void> {
    this.deleting = true;
    try {
      await this.logOut();
      await this.context.dispatch({ type: "deleted-by-owner" });
      this.stop.abort(new ConnectionLost(undefined));
    } finally {
      this.deleting = false;
      this.nudge.ring();
    }
  }

  // ---- the loop ----

  private async loop(): Promise<void> {
    let loaded = false;
    let failures = 0;
    let restarts = 0;
    while (!this.over) {
      const nudged = this.nudge.next();
      let waitMs = 0;
      try {
        if (!loaded) await this.load();
        loaded = true;
        if (this.resets.length > 0) await this.startOver();
        const end = await this.connectOnce();
        // The next owner judges for itself.
        if (this.over) break;
        this.services.metrics?.onConnectionEnd?.(end.kind);
        restarts = end.kind === "restart" ? restarts + 1 : 0;
        if (end.kind === "lost") {
          this.report(end.cause);
          await this.context.dispatch({ type: "connection-lost" });
          failures = end.established ? 1 : failures + 1;
          waitMs = Math.max(this.backoffMs(failures), end.waitMs);
        } else if (end.kind === "codes-ended") {
          await this.context.dispatch({ type: "connection-lost" });
        } else if (end.kind === "restart") {
          // Asked for once after pairing; a server that asks for nothing else must not be obeyed at full speed.
          if (restarts > restartsMax) waitMs = this.backoffMs(restarts - restartsMax);
          await this.context.dispatch({ type: "connection-lost" });
        } else if (end.kind === "signed-out" && this.resets.length === 0) {
          // The device that a deletion has just removed: its outcome comes with the deletion.
          if (this.deleting) await pause(this.services.timing.logOutMs, nudged, this.stop.signal);
          if (this.over) break;
          await this.signOut(end.cause);
          failures = 0;
        }
      } catch (error) {
        // The store was not to be reached, or ownership is lost, in which case the host ends this loop.
        if (!this.over) this.context.log.warn({ err: error }, "session could not go on");
        failures++;
        waitMs = this.backoffMs(failures);
      }
      if (waitMs > 0 && !this.over) await pause(waitMs, nudged, this.stop.signal);
    }
    await this.book.settled();
    await this.auth.settled();
  }

  private get over(): boolean {
    return this.stop.signal.aborted || this.context.state().kind === "deleted";
  }

  private async load(): Promise<void> {
    await this.auth.load();
    // Nobody has verified the connection since the last owner.
    if (this.context.state().kind === "connected") await this.context.dispatch({ type: "connection-lost" });
  }

  private backoffMs(failures: number): number {
    const { backoffMinMs, backoffMaxMs } = this.services.timing;
    return Math.random() * Math.min(backoffMaxMs, backoffMinMs * 2 ** Math.min(failures - 1, 30));
  }

  private report(cause: unknown): void {
    const code = closeCode(cause instanceof ConnectionLost ? cause.cause : cause);
    if (code === 440) this.context.log.error({ err: cause }, "login was used from two places");
    else if (code === 405) this.context.log.error({ err: cause }, "the platform takes this version of the client no longer");
    else if (code === 402) this.context.log.error({ err: cause }, "the account is banned for a while");
    else this.context.log.warn({ err: cause }, "connection lost");
  }

  private async startOver(): Promise<void> {
    await this.forgetAccount();
    await this.context.dispatch({ type: "reset" });
    this.tellLogin(undefined);
    for (const done of this.resets.splice(0)) done();
  }

  private async signOut(cause: unknown): Promise<void> {
    this.context.log.info({ err: cause }, "login was ended by the platform");
    await this.forgetAccount();
    await this.context.dispatch({ type: "logged-out" });
    this.tellLogin(undefined);
  }

  private async forgetAccount(): Promise<void> {
    await this.auth.forget();
    await this.book.clear();
    this.groups.clear();
    await this.caches.devices.flushAll();
    await this.caches.counters.flushAll();
  }

  // ---- one connection ----

  private async connectOnce(): Promise<ConnectionEnd["end"]> {
    const connection = new AbortController();
    const onStop = (): void => connection.abort(this.stop.signal.reason);
    this.stop.signal.addEventListener("abort", onStop, { once: true });
    const { signal } = connection;
    const hadLogin = this.auth.paired;
    let client: Client | undefined;
    let openedAt: number | undefined;
    try {
      this.connection = connection;
      this.stop.signal.throwIfAborted();
      if (!this.context.fence.holds()) throw new ConnectionLost(undefined);
      this.auth.dropUnfinished();
      // Stored state without stored login: what it says of an account is no longer true.
      if (!hadLogin && this.context.state().kind !== "awaiting-qr") await this.context.dispatch({ type: "logged-out" });
      client = this.open();
      void client.ended.then((reason) => connection.abort(reason));
      await this.login(client, hadLogin, signal);
      openedAt = performance.now();
      await this.enter(client);
      void this.showPicture(client, signal);
      return await untilAborted(signal);
    } catch (error) {
      const established = openedAt !== undefined && performance.now() - openedAt > establishedMs;
      return endOf(signal.aborted ? signal.reason : error, { established, hadLogin: this.auth.paired });
    } finally {
      if (this.signedIn !== undefined) await this.typing.stop();
      this.signedIn = undefined;
      this.connection = undefined;
      this.stop.signal.removeEventListener("abort", onStop);
      connection.abort(new ConnectionLost(undefined));
      await client?.close();
      await this.registration?.settled();
      this.registration = undefined;
      await this.auth.settled();
    }
  }

  private open(): Client {
    const { context, services, caches, auth } = this;
    const registration = new Registration(context, auth, () => client);
    this.registration = registration;
    const events: ClientEvents = {
      onQr: (text) => registration.onQr(text),
      onRefresh: () => registration.onRefresh(),
      onContacts: (contacts) => this.book.learn(contacts),
      onProfile: () => this.showName(client),
      onGroupChanged: (jid) => void this.groups.delete(jid),
      onDevicesChanged: (jids) => this.forgetDevices(client, jids),
      onAppStateKey: () => this.syncSoon(client),
    };
    const client = new Client({ auth, fence: context.fence, services, caches, events, readSent: (messageId) => this.readSent(messageId) });
    return client;
  }

  /** A known device is in or refused within seconds; a new one waits for its owner. */
  private async login(client: Client, known: boolean, signal: AbortSignal): Promise<void> {
    const bound = new AbortController();
    const late = known ? pause(this.services.timing.loginMs, bound.signal).then(() => Promise.reject(new ConnectionLost(undefined))) : untilAborted(signal);
    late.catch(() => undefined);
    try {
      await Promise.race([client.opened, untilAborted(signal), late]);
    } finally {
      bound.abort();
    }
  }

  /** The credentials are stored since the pairing: whoever reads `connected` finds the account after a crash too. */
  private async enter(client: Client): Promise<void> {
    this.auth.pairBy("");
    await this.auth.settled();
    if (!client.alive) throw new ConnectionLost(undefined);
    this.signedIn = client;
    await this.context.dispatch({ type: "logged-in", account: toAccount(client.me, this.context.state()) });
    this.tellLogin(client);
  }

  private tellLogin(client: Client | undefined): void {
    for (const login of this.logins.splice(0)) login(client);
  }

  private showName(client: Client): void {
    const state = this.context.state();
    if (this.signedIn !== client || state.kind !== "connected") return;
    const account = toAccount(client.me, state);
    if (account.name === state.account.name && account.generatedId === state.account.generatedId) return;
    this.tell(account);
  }

  private async showPicture(client: Client, signal: AbortSignal): Promise<void> {
    const picture = await readOwnPicture(client, signal).catch((error: unknown) => {
      this.context.log.debug({ err: error }, "picture could not be read");
      return undefined;
    });
    const state = this.context.state();
    if (picture === undefined || signal.aborted || state.kind !== "connected" || state.account.picture === picture) return;
    this.tell({ ...state.account, picture });
  }

  /** A name or a picture is no reason to close a good connection; the next login shows it. */
  private tell(account: ReturnType<typeof toAccount>): void {
    this.context.dispatch({ type: "account-changed", account }).catch((error: unknown) => this.context.log.debug({ err: error }, "account could not be stored"));
  }

  /** One sync at a time; what fails is read again when a status needs it. */
  private syncSoon(client: Client): void {
    this.syncing = this.syncing.then(() => this.syncBook(client, false)).catch((error: unknown) => this.context.log.info({ err: error }, "address book could not be read"));
  }

  /** The next message asks for the whole list. A contact is remembered under the name that it was written to by, number or anonymous id. */
  private forgetDevices({ sock }: Client, jids: readonly string[]): void {
    otherNames(sock.authState.keys, jids)
      .then(async (users) => {
        for (const user of users) await this.caches.devices.del(user);
      })
      .catch((error: unknown) => this.context.log.warn({ err: error }, "changed devices could not be forgotten"));
  }

  private async readSent(messageId: string): Promise<proto.IMessage | undefined> {
    const content = await this.context.sent.read(messageId);
    return content === undefined ? undefined : proto.Message.decode(content);
  }
}

/** A connection that ended sooner counts as a failed attempt: whatever ends it at once must not be asked for at full speed. */
const establishedMs = 10_000;
const restartsMax = 3;

/** Members of a group, for sends to it; changes are told by the platform. */
const groupsMax = 50;
const groupMs = 3_600_000;
/** Device lists: the library's own 5 minutes would make every contact a stranger again that often. Changes are told by the platform. */
const devicesMax = 10_000;
const devicesMs = 6 * 3_600_000;
const countersMax = 1_000;
const countersMs = 3_600_000;
