import type { Agent } from "node:https";
import {
  ALL_WA_PATCH_NAMES,
  buildAckStanza,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  makeWASocket,
  type BinaryNode,
  type MessageRelayOptions,
  type proto,
  type WASocket,
} from "@whiskeysockets/baileys";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import { endsWithin } from "../../shared/flow/ends-within.js";
import { withOwnMemory } from "../../shared/flow/own-memory.js";
import { SerialQueue } from "../../shared/flow/serial-queue.js";
import type { UpdateEvent } from "../session/session-context.js";
import { passOn } from "./client-listeners.js";
import type { ClientOptions } from "./client-options.js";
import { CiphertextStanzas } from "./events/keep-messages.js";
import { StanzaGate } from "./events/stanza-gate.js";
import { systemForCode } from "./shown-device.js";
import { closeCode, graphErrorCode, iqErrorCode, isBrokenConnection } from "./errors.js";
import { statusJid } from "./group/departures.js";
import { userJid } from "./jid.js";
import { ConnectionKeys } from "./keys/connection-keys.js";
import { KeyTransactions } from "./keys/key-transactions.js";
import { readSessions } from "./keys/read-sessions.js";
import { EndlessAppState } from "./keys/resync-rounds.js";
import { MediaHosts } from "./media/media-hosts.js";
import type { ChatTimer } from "./message/chat-timers.js";
import { readDefaultTimer } from "./message/default-timer.js";
import { boundQueries, isQueryTimeout } from "./network/bound-queries.js";
import { CodesEnded, ConnectionLost, QueryTimeout } from "./network/connection-error.js";
import { editAttribute } from "./network/edit-attribute.js";
import { FencedSockets } from "./network/fenced-sockets.js";
import { KeepAlive } from "./network/keep-alive.js";
import { KeylessDevices } from "./network/keyless-devices.js";
import { announcesMigration, isMigratedAtPairing, isMigratedInSwitches, switchesQuery } from "./network/lid-migration.js";
import type { MediaTransport } from "./network/media-transports.js";
import { MessageAcks } from "./network/message-acks.js";
import { toRelayed } from "./network/relayed-message.js";
import { SessionReader } from "./network/session-reader.js";
import { type OwnConfig, toSocketConfig } from "./network/socket-config.js";
import { isTransient, retrying } from "./network/transient.js";
import { SignalSessions } from "./signal-sessions/signal-sessions.js";

export interface RelayOptions extends Pick<MessageRelayOptions, "participant" | "additionalAttributes"> {
  readonly messageId: string;
  readonly devices?: readonly string[];
  /** Nodes that the stanza contains beside its content. */
  readonly nodes?: readonly BinaryNode[];
}

/**
 * One connection: one socket of the library, used once. `ended` gives the time and cause of its end; the library does not reconnect.
 * Changed credentials are stored before any later write leaves this process.
 */
export class Client {
  readonly sock: WASocket;
  /** Resolves when the keys of the account's app state have arrived: the phone sends them to a new device within seconds, or never. */
  readonly appStateKey: Promise<void>;
  /** Resolves when the account is logged in on this connection. */
  readonly opened: Promise<void>;
  /** Resolves when the connection is over. Never rejects. */
  readonly ended: Promise<ConnectionLost>;
  readonly mediaHosts = new MediaHosts((node) => this.query(node));
  readonly keyless = new KeylessDevices();
  /** The server's acks of messages. A send starts to wait before it writes the message. */
  readonly acks: MessageAcks;
  /**
   * True when the platform reported version 0 of the address book, which means that the account never had a contact. The library stores
   * nothing for it.
   */
  bookIsEmpty = false;
  private openedAt = 0;
  private readonly media: MediaTransport;
  /** The library's own browser description, which it reads again at each use. */
  private readonly browser: OwnConfig["browser"];
  private readonly sockets: FencedSockets;
  private readonly keepAlive: KeepAlive;
  private readonly keys: ConnectionKeys;
  private readonly transactions: KeyTransactions;
  private readonly sessionReader = new SessionReader();
  private readonly sessions: SignalSessions;
  private readonly statuses = new SerialQueue();
  private audience: readonly string[] = [];
  private readonly dialling: NodeJS.Timeout;
  /** True after the handshake. All frames after the server's second one are encrypted, and only the library's own frames may precede it. */
  private encrypted = false;
  private open = false;
  private over = false;
  private readonly gone = new AbortScope();
  private end: (reason: ConnectionLost) => void = () => undefined;

  constructor(private readonly options: ClientOptions) {
    const { auth, fence, route, onSocket, services } = options;
    const { timing, url, metrics } = services;
    this.media = services.mediaTransports.take(route);
    this.keys = new ConnectionKeys(auth.keys);
    this.sessions = new SignalSessions(this.keys, auth.creds);
    this.transactions = new KeyTransactions(this.keys);
    this.keepAlive = new KeepAlive({
      pingMs: timing.pingMs,
      ping: () => this.ping(),
      onSilence: (silentMs) => this.abandon(new Error(`nothing from the server for ${Math.round(silentMs)} ms`)),
    });
    const onBytes = (count: number): void => {
      this.keepAlive.received();
      metrics?.onBytes?.(count);
    };
    this.sockets = new FencedSockets({ url, fence, route, onSocket, onBytes, onWrite: () => this.saveSessions() });
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    const stanzas = new CiphertextStanzas((error) => this.abandon(error));
    const config = toSocketConfig(options, this.sockets.agent, this.media, {
      keys: this.keys,
      sessions: this.sessions,
      transactions: this.transactions,
      stanzas,
      sessionReader: this.sessionReader,
      keyless: this.keyless,
      audience: () => this.audience,
    });
    this.browser = config.browser;
    this.sock = withOwnMemory(() => makeWASocket(config));
    this.acks = new MessageAcks(this.sock.ws, (error) => this.lost(error));
    boundQueries(this.sock, timing.queryMs, (event) => this.acks.isOwn(event));
    this.transactions.replace(this.sock.authState.keys);
    this.gate(stanzas);
    this.dialling = setTimeout(() => this.abandon(new Error(`no handshake within ${timing.connectMs} ms`)), timing.connectMs);
    this.sock.ws.once("frame", () => {
      clearTimeout(this.dialling);
      if (!this.over) this.keepAlive.start();
      this.sock.ws.once("frame", () => (this.encrypted = true));
    });
    this.appStateKey = new Promise((resolve) => {
      if (auth.creds.myAppStateKeyId !== undefined) resolve();
      else
        this.sock.ev.on("creds.update", ({ myAppStateKeyId }) => {
          if (myAppStateKeyId !== undefined) resolve();
        });
    });
    this.opened = this.listen();
  }

  /** False as soon as the connection is known to be gone. */
  get alive(): boolean {
    return this.open && !this.over && this.sock.ws.isOpen;
  }

  /** Milliseconds since the login. */
  get ageMs(): number {
    return performance.now() - this.openedAt;
  }

  /** True when the keys of the account's app state have arrived. */
  get hasAppStateKey(): boolean {
    return this.sock.authState.creds.myAppStateKeyId !== undefined;
  }

  get mediaAgent(): Agent {
    return this.media.agent;
  }

  /** See `MediaTransport.rangeAgent`. */
  get rangeAgent(): Agent {
    return this.media.rangeAgent;
  }

  get me(): { readonly id: string; readonly lid: string; readonly name: string } {
    const { me } = this.sock.authState.creds;
    return { id: me?.id ?? "", lid: me?.lid ?? "", name: me?.name === undefined || me.name === "~" ? "" : me.name };
  }

  /** The account's timer for new private chats; `undefined` until it has been read once. The library stores later changes. */
  get defaultTimer(): ChatTimer | undefined {
    const stored = this.sock.authState.creds.accountSettings.defaultDisappearingMode;
    return stored && { seconds: stored.ephemeralExpiration ?? 0, setAt: Number(stored.ephemeralSettingTimestamp ?? 0) };
  }

  /** True when the platform moved the account's chats to anonymous ids: it no longer accepts phone numbers as addresses. */
  get lidMigrated(): boolean {
    return this.options.auth.lidMigrated && this.me.lid !== "";
  }

  /** Sends an IQ and returns the response. Throws the platform's error, `QueryTimeout`, or `ConnectionLost`. */
  query(node: BinaryNode): Promise<BinaryNode>;
  /** Does the same and converts the response with `read`, which throws if the response holds an error. */
  query<T>(node: BinaryNode, read: (response: BinaryNode) => T): Promise<T>;
  query<T>(node: BinaryNode, read?: (response: BinaryNode) => T): Promise<BinaryNode | T> {
    return this.runQuery(async () => {
      const response = await this.responseOf(node);
      return read === undefined ? response : read(response);
    });
  }

  /** Sends an IQ before the account is logged in, for a device that is being linked. */
  register(node: BinaryNode): Promise<BinaryNode> {
    const gone = this.ended.then((reason) => Promise.reject(reason));
    gone.catch(() => undefined);
    // When the library itself ends a connection, it leaves pending queries unsettled.
    return Promise.race([this.runChecked(!this.over && this.sock.ws.isOpen, () => this.responseOf(node)), gone]);
  }

  /**
   * Requests a pairing code for this phone number (digits). Call it only after the device has registered: the registration sends the
   * device's name, which this call changes.
   */
  requestPairingCode(phone: string): Promise<string> {
    this.browser[0] = systemForCode(this.options.services.device);
    return this.sock.requestPairingCode(phone);
  }

  /** Ends a registration that has failed or whose codes have all expired. The next connection registers a new device. */
  giveUp(): void {
    this.finish(new ConnectionLost(undefined, new CodesEnded()));
  }

  /**
   * Runs a library call that queries the platform, and retries it after a transient error. After a timeout the library throws a
   * `TypeError` on `undefined`, so timeouts are detected by duration.
   */
  runQuery<T>(call: () => Promise<T>): Promise<T> {
    return retrying(() => this.runChecked(this.alive, call), isTransientResponse, this.gone);
  }

  private async responseOf(node: BinaryNode): Promise<BinaryNode> {
    const response: unknown = await this.sock.query(node);
    if (!isNode(response)) throw new QueryTimeout();
    return response;
  }

  private async runChecked<T>(usable: boolean, call: () => Promise<T>): Promise<T> {
    if (!usable) throw new ConnectionLost(undefined);
    const startedAt = performance.now();
    try {
      return await call();
    } catch (error) {
      // When a WebSocket closes, pending writes reject with the bare close code before the library reports the end.
      if (this.over || !(error instanceof Error)) throw this.lost(error);
      if (isBrokenConnection(error)) throw await this.endAfterBreak(error);
      const isLate = iqErrorCode(error) === undefined && performance.now() - startedAt >= this.options.services.timing.queryMs;
      if (!isQueryTimeout(error) && !isLate) throw error;
      this.probe();
      throw error instanceof QueryTimeout ? error : new QueryTimeout(error);
    }
  }

  /** Pings at once because the platform left a request without a response. A dead connection ends within 10 s. */
  probe(): void {
    this.keepAlive.probe();
  }

  /**
   * Encrypts a message, stores the changed keys, and then writes the message. Resolves when it is written, not when it is accepted.
   * `devices` lets the library read their sessions at once, which is faster for thousands.
   */
  async relay(jid: string, message: proto.IMessage, options: RelayOptions): Promise<void> {
    await this.relayTo(jid, message, options);
  }

  /**
   * Does the same with a status for this audience (JIDs). Statuses go one at a time because `hasLeft` checks the audience of the current
   * one.
   */
  async relayStatus(audience: readonly string[], message: proto.IMessage, options: RelayOptions): Promise<void> {
    await this.statuses.run(async () => {
      this.audience = audience;
      await this.relayTo(statusJid, message, options, [...audience]);
    });
  }

  private async relayTo(
    jid: string,
    message: proto.IMessage,
    { devices = [], nodes = [], additionalAttributes, ...options }: RelayOptions,
    statusJidList?: string[],
  ): Promise<void> {
    const more = statusJidList === undefined ? {} : { statusJidList };
    const relay = (): Promise<unknown> =>
      this.sock.relayMessage(jid, toRelayed(message), {
        ...options,
        ...more,
        additionalAttributes: { ...additionalAttributes, ...editAttribute(message) },
        additionalNodes: [...nodes],
      });
    await this.sessions.during(() => this.sessionReader.during(devices, () => this.transactions.sending(relay)));
  }

  /** Reads the sessions with these devices (JIDs) at once. */
  async prepareSessions(devices: readonly string[]): Promise<void> {
    await readSessions(this.sock.signalRepository, this.sessions, devices);
  }

  /** Reads from the platform whether it has moved the account to anonymous ids. */
  async readMigration(): Promise<void> {
    this.learnMigration(isMigratedInSwitches(await this.query(switchesQuery())));
  }

  /** Reads the account's default timer, once for each login. */
  async readDefaultTimer(): Promise<void> {
    const timer = await readDefaultTimer((question) => this.query(question), userJid(this.me.id));
    if (timer === undefined || this.defaultTimer !== undefined) return;
    const defaultDisappearingMode = { ephemeralExpiration: timer.seconds, ephemeralSettingTimestamp: timer.setAt };
    this.sock.ev.emit("creds.update", { accountSettings: { ...this.sock.authState.creds.accountSettings, defaultDisappearingMode } });
  }

  /** Requests that the platform unlink this device. The platform may close the connection instead of responding. */
  async removeDevice(): Promise<void> {
    await this.query({
      tag: "iq",
      attrs: { to: "@s.whatsapp.net", type: "set", xmlns: "md" },
      content: [{ tag: "remove-companion-device", attrs: { jid: this.me.id, reason: "user_initiated" } }],
    });
  }

  /** Reads the address book and the push name. Contacts arrive as events, at the latest when this resolves. */
  async syncAppState(again: boolean): Promise<void> {
    if (again) await this.sock.authState.keys.set({ "app-state-sync-version": { critical_unblock_low: null } });
    try {
      await this.resync(ALL_WA_PATCH_NAMES);
    } catch (error) {
      if (!(error instanceof EndlessAppState)) throw error;
      // One failing collection prevents all others from being stored, so each is read alone.
      for (const name of neededPatches) await this.resync([name]).catch(() => undefined);
    }
    // The library holds events back for up to 30 s when no stanza of the server follows.
    this.sock.ev.flush();
  }

  /** Reads a part of the app state from its beginning. Rejects like the platform. */
  async readAgain(name: PatchName): Promise<void> {
    await this.sock.authState.keys.set({ "app-state-sync-version": { [name]: null } });
    await this.resync([name]);
    this.sock.ev.flush();
  }

  /** Reads parts of the app state. The keys may arrive before the library reports the login, so an open socket is enough. */
  private resync(names: readonly PatchName[]): Promise<void> {
    const call = (): Promise<void> => this.runChecked(!this.over && this.sock.ws.isOpen, () => this.sock.resyncAppState(names, true));
    return retrying(call, isTransientResponse, this.gone);
  }

  /**
   * Closes the connection. Resolves when its socket is closed and its writes are done. Waits briefly for the server's goodbye, so that the
   * last frames arrive.
   */
  async close(): Promise<void> {
    if (!this.options.fence.holds()) this.sockets.destroy();
    const written = this.keys.close();
    const ending = this.sock.end(undefined).catch(() => undefined);
    this.finish(new ConnectionLost(undefined));
    await endsWithin(ending, goodbyeMs);
    this.sockets.destroy();
    this.media.close();
    await Promise.all([ending, written]);
  }

  private listen(): Promise<void> {
    const { events } = this.options;
    const { ev } = this.sock;
    ev.on("creds.update", (update) => {
      this.store();
      if (update.myAppStateKeyId !== undefined) events.onAppStateKey();
      if (update.me !== undefined && this.open) events.onProfile();
    });
    passOn(this.sock, events);
    // The library's own ack contains the account's id, which does not exist before the login.
    this.sock.ws.on("CB:notification", (node: BinaryNode) => {
      if (this.sock.authState.creds.me === undefined) this.sock.sendNode(buildAckStanza(node)).catch(() => undefined);
    });
    this.sock.ws.on("CB:iq,,sync", (node: BinaryNode) => {
      const book = getBinaryNodeChildren(getBinaryNodeChild(node, "sync"), "collection").find(
        ({ attrs }) => attrs["name"] === "critical_unblock_low",
      );
      if (book !== undefined) this.bookIsEmpty = book.attrs["type"] !== "error" && book.attrs["version"] === "0";
    });
    ev.on("messages.upsert", ({ messages }) => {
      if (messages.some(announcesMigration)) this.learnMigration(true);
    });
    this.sock.ws.on("CB:iq,,pair-success", (node: BinaryNode) => this.learnMigration(isMigratedAtPairing(node)));
    return new Promise((resolve) => {
      ev.on("connection.update", ({ connection, qr, lastDisconnect }) => {
        if (qr !== undefined) events.onQr(qr);
        if (connection === "open") {
          this.open = true;
          this.openedAt = performance.now();
          resolve();
        }
        if (connection === "close") this.finish(new ConnectionLost(closeCode(lastDisconnect?.error), lastDisconnect?.error));
      });
    });
  }

  /** The platform never moves an account back, so only `true` changes anything. */
  private learnMigration(migrated: boolean): void {
    const { auth } = this.options;
    if (auth.lidMigrated || !migrated) return;
    auth.learnMigration();
    this.store();
    this.options.events.onMigrated();
  }

  private store(): void {
    this.holdUntil(this.options.auth.persist());
  }

  /** Stores the events of incoming stanzas before the library handles and confirms them. */
  private gate(stanzas: CiphertextStanzas): void {
    const { incoming } = this.options;
    const store = (events: readonly UpdateEvent[]): Promise<void> => this.transactions.append(events);
    const gate = new StanzaGate({
      isOrdered: (node) => {
        if (node.tag !== "message" || !incoming.concerns(node)) return false;
        stanzas.add(node);
        return true;
      },
      eventsBefore: (node) => incoming.eventsBefore(node),
      store,
      confirm: (receipt) => this.confirm(receipt),
      onFailure: (error) => this.abandon(error),
    });
    gate.install(this.sock.ws);
    this.sock.ws.on("CB:ack,class:message", (node: BinaryNode) => {
      if (node.attrs["error"] === undefined || this.acks.isOwn(`TAG:${node.attrs["id"]}`)) return;
      incoming
        .refusalEvents(node)
        .then((events) => (events.length === 0 ? undefined : store(events)))
        .catch((error: unknown) => this.abandon(error));
    });
  }

  private async confirm(receipt: BinaryNode): Promise<void> {
    // The library releases the events that it holds back with each stanza that it handles.
    this.sock.ev.flush();
    await this.sock.sendNode(buildAckStanza(receipt));
  }

  /** Called before each write: its bytes may be encrypted with sessions that are not stored yet. */
  private saveSessions(): void {
    const saved = this.sessions.save();
    if (saved !== undefined) this.holdUntil(saved);
  }

  /** Holds all writes until the state that they may depend on is stored. If it cannot be stored, the connection ends. */
  private holdUntil(stored: Promise<unknown>): void {
    this.sockets.hold();
    stored.then(
      () => this.sockets.release(),
      (error: unknown) => this.abandon(error),
    );
  }

  private ping(): void {
    const { ws, sendNode, generateMessageTag } = this.sock;
    if (!this.encrypted || !ws.isOpen) return;
    const attrs = { id: generateMessageTag(), to: "@s.whatsapp.net", type: "get", xmlns: "w:p" };
    // Any byte counts as a reply. A connection that closes reports that itself.
    sendNode({ tag: "iq", attrs, content: [{ tag: "ping", attrs: {} }] }).catch(() => undefined);
  }

  /** Resolves with the end that the library reports a moment later: only that one has the platform's close code. */
  private async endAfterBreak(error: unknown): Promise<ConnectionLost> {
    return (await endsWithin(this.ended, endReportMs)) ? this.ended : this.lost(error);
  }

  private lost(error: unknown): ConnectionLost {
    const lost = new ConnectionLost(closeCode(error), error instanceof Error ? error : undefined);
    this.finish(lost);
    return lost;
  }

  private abandon(reason: unknown): void {
    this.finish(new ConnectionLost(undefined, reason));
    this.sockets.destroy();
  }

  private finish(reason: ConnectionLost): void {
    this.over = true;
    this.gone.abort();
    clearTimeout(this.dialling);
    this.keepAlive.stop();
    this.sockets.endDialling();
    this.end(reason);
    this.acks.end(reason);
  }
}

const goodbyeMs = 500;
const endReportMs = 1_000;
/** The collections that hold the push name, the address book and the salt for tokens. */
const neededPatches = ["critical_block", "critical_unblock_low", "regular_high"] as const;

type PatchName = Parameters<WASocket["resyncAppState"]>[0][number];

function isTransientResponse(error: unknown): boolean {
  return isTransient(iqErrorCode(error) ?? graphErrorCode(error) ?? 0);
}

function isNode(value: unknown): value is BinaryNode {
  return typeof value === "object" && value !== null && "tag" in value && "attrs" in value;
}
