import { Api } from "telegram";
import { sessionNotConnected } from "../../shared/contract/telegram/errors.js";
import { type SessionId } from "../../shared/contract/ids.js";
import { type PlatformSession, type SessionContext } from "../platform/platform-session.js";
import { AuthStore } from "./auth-store.js";
import { ChatDirectory } from "./chats/chat-directory.js";
import { Client } from "./client.js";
import { ConnectionEnd, endOf } from "./connection-end.js";
import { toAccount } from "./convert.js";
import { errorName, isSignedOut } from "./errors.js";
import { Arrivals } from "../flow/arrivals.js";
import { pause } from "../flow/pause.js";
import { untilAborted } from "../flow/until-aborted.js";
import { Wake } from "../flow/wake.js";
import { keepAlive } from "./keep-alive.js";
import { readPasswordHint } from "./login.js";
import { MediaFiles } from "./media/media-files.js";
import { ConnectionLost } from "./network/connection-error.js";
import { ownPictureSoFar, refreshOwnPicture } from "./own-picture.js";
import { PeerStore } from "./peers.js";
import { PhoneDirectory } from "./phone-directory.js";
import { signIn } from "./sign-in.js";
import { type TelegramServices } from "./telegram-adapter.js";
import { PasswordGate } from "./two-step/password-gate.js";
import { EventReader } from "./updates/event-reader.js";
import { People } from "./updates/people.js";
import { UpdateFeed } from "./updates/update-feed.js";

/**
 * One account of the platform. `run` is one loop: connect, sign in (stored key, else QR code, else password), stay until the connection ends,
 * then decide by how it ended. Each connection is a new Client; what outlives it is the auth store, the peers and the caches.
 */
export class TelegramSession implements PlatformSession {
  readonly platform = "telegram";
  readonly id: SessionId;
  readonly peers: PeerStore;
  readonly chats: ChatDirectory;
  readonly phones: PhoneDirectory;
  readonly files: MediaFiles;
  private readonly auth: AuthStore;
  private readonly stop = new AbortController();
  private readonly scanned = new Wake();
  private readonly probe = new Wake();
  /** Ends a pause between two connections. */
  private readonly nudge = new Wake();
  private running: Promise<void> = Promise.resolve();
  /** Ends the current connection; its reason says how. */
  private connection: AbortController | undefined;
  private signedIn: Client | undefined;
  private readonly updates: UpdateFeed;
  /** Takes in the updates of the current connection. */
  private following: Promise<void> = Promise.resolve();
  private readonly logins = new Arrivals<Client>();
  private readonly password: PasswordGate;
  /** Callers that wait for the new start they asked for. */
  private resets: (() => void)[] = [];

  constructor(
    readonly context: SessionContext,
    readonly services: TelegramServices,
  ) {
    this.id = context.id;
    this.auth = new AuthStore(context.credentials, services.startDc, context.log);
    this.peers = new PeerStore(context.peers, context.log);
    this.chats = new ChatDirectory(this.peers);
    this.phones = new PhoneDirectory(this.peers, (digits) => this.auth.fingerprint(digits), services.timing.phoneGapMs);
    this.files = new MediaFiles(this.chats);
    this.password = new PasswordGate(() => context.state());
    this.updates = this.createFeed();
  }

  run(signal: AbortSignal): Promise<void> {
    const onAbort = (): void => this.stop.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    this.running = this.loop().finally(() => signal.removeEventListener("abort", onAbort));
    return this.running;
  }

  async close(): Promise<void> {
    this.stop.abort(new ConnectionLost("lost"));
    const bound = new AbortController();
    await Promise.race([this.running, pause(this.services.timing.closeMs, bound.signal)]);
    bound.abort();
  }

  async logOut(): Promise<void> {
    const { logOutMs } = this.services.timing;
    const client = this.signedIn;
    if (client === undefined) return;
    try {
      await client.invoke(new Api.auth.LogOut(), { signal: this.stop.signal, deadlineMs: logOutMs, repeatable: false });
    } catch (error) {
      this.context.log.info({ err: error }, "device could not be removed on the platform");
    }
  }

  /** The connection of the logged-in account. Throws `session not connected` at once while there is none. */
  connected(): Client {
    const client = this.signedIn;
    if (client === undefined || !client.alive || this.context.state().kind !== "connected") throw sessionNotConnected();
    return client;
  }

  /** Waits for the next login, `ms` at most; throws `session not connected` when there is none. */
  async reconnected(ms: number, signal: AbortSignal): Promise<Client> {
    if (this.signedIn?.alive === true) return this.signedIn;
    const client = await this.logins.next(ms, signal, this.stop.signal);
    if (client === undefined) throw sessionNotConnected();
    return client;
  }

  /** A command met this error: a removed device shows first in whatever is called next. */
  noticed(error: unknown): void {
    if (isSignedOut(error)) this.connection?.abort(error);
  }

  /** Resolves when the account is logged in and the state says so. */
  submitPassword(password: string, signal: AbortSignal): Promise<void> {
    return this.password.submit(password, (client, user) => this.enter(client, user), signal);
  }

  /** Logs out, forgets the account, and starts over with a new key. Resolves when the state is the initial one. */
  async reset(): Promise<void> {
    await this.logOut();
    const done = new Promise<void>((resolve) => {
      this.resets.push(resolve);
    });
    this.connection?.abort(new ConnectionEnd({ kind: "reset" }));
    this.nudge.ring();
    await Promise.race([done, this.running]);
  }

  /** Resolves when what the platform has told so far is stored; while it tells nothing, at once. */
  async updatesStored(signal: AbortSignal): Promise<void> {
    if (this.context.state().kind === "connected") await this.updates.settled(signal);
  }

  /** Logs out and marks the session as deleted; the loop ends. */
  async delete(): Promise<void> {
    await this.logOut();
    await this.context.dispatch({ type: "deleted-by-owner" });
    this.stop.abort(new ConnectionLost("lost"));
  }

  // ---- the loop ----

  private async loop(): Promise<void> {
    let loaded = false;
    let failures = 0;
    let token: Buffer | undefined;
    while (!this.over) {
      const nudged = this.nudge.next();
      let waitMs = 0;
      try {
        if (!loaded) await this.load();
        loaded = true;
        if (this.resets.length > 0) await this.startOver();
        const end = await this.connectOnce(token);
        token = undefined;
        // The next owner judges for itself.
        if (this.over) break;
        this.services.metrics?.onConnectionEnd?.(end.kind);
        if (end.kind === "lost") {
          this.context.log.warn({ err: end.cause }, "connection lost");
          await this.context.dispatch({ type: "connection-lost" });
          failures = end.established ? 1 : failures + 1;
          waitMs = Math.max(this.backoffMs(failures), end.waitMs);
        } else if (end.kind === "signed-out") {
          await this.signOut(end.cause);
          failures = 0;
        } else if (end.kind === "migrate") {
          this.auth.moveHome(end.home);
          token = end.token;
        }
      } catch (error) {
        // The store was not to be reached, or ownership is lost, in which case the host ends this loop.
        if (!this.over) this.context.log.warn({ err: error }, "session could not go on");
        failures++;
        waitMs = this.backoffMs(failures);
      }
      if (waitMs > 0 && !this.over) await pause(waitMs, nudged, this.stop.signal);
    }
    await this.peers.stop();
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

  private async startOver(): Promise<void> {
    await this.forgetAccount();
    await this.context.dispatch({ type: "reset" });
    for (const done of this.resets.splice(0)) done();
  }

  private async signOut(cause: unknown): Promise<void> {
    if (errorName(cause) === "AUTH_KEY_DUPLICATED") this.context.log.error({ err: cause }, "login was used from two places");
    else this.context.log.info({ err: cause }, "login was ended by the platform");
    await this.forgetAccount();
    await this.context.dispatch({ type: "logged-out" });
  }

  /** The update cursor stays: it names its account, and when the same one logs in again, what happened meanwhile is told of. */
  private async forgetAccount(): Promise<void> {
    await this.auth.forget();
    await this.peers.clear();
    this.updates.clear();
    this.chats.clear();
    this.files.clear();
  }

  // ---- one connection ----

  private async connectOnce(token: Buffer | undefined): Promise<ConnectionEnd["end"]> {
    const connection = new AbortController();
    const onStop = (): void => connection.abort(this.stop.signal.reason);
    this.stop.signal.addEventListener("abort", onStop, { once: true });
    const { signal } = connection;
    const startedAt = performance.now();
    let client: Client | undefined;
    let tasks: Promise<unknown>[] = [];
    try {
      this.connection = connection;
      this.stop.signal.throwIfAborted();
      client = await this.open(signal);
      void client.lost.then((reason) => connection.abort(new ConnectionLost(reason)));
      const stay = this.stay(client, token, signal);
      const { timing } = this.services;
      const guard = keepAlive(client, { timing, probe: this.probe, signedIn: () => this.signedIn === client, onState: (state) => this.updates.compare(state) }, signal);
      tasks = [stay, guard];
      return await Promise.race([stay, guard.then(() => untilAborted(signal)), untilAborted(signal)]);
    } catch (error) {
      return endOf(signal.aborted ? signal.reason : error, { established: client !== undefined && performance.now() - startedAt > establishedMs, hadLogin: this.auth.stage !== "none" });
    } finally {
      this.signedIn = undefined;
      this.connection = undefined;
      this.stop.signal.removeEventListener("abort", onStop);
      connection.abort(new ConnectionLost("lost"));
      await client?.close();
      await Promise.allSettled([...tasks, this.following]);
      // A key that no login came of is not kept: the next connection makes a new one.
      if (this.auth.stage === "none") this.auth.dropUnusedKeys();
    }
  }

  private open(signal: AbortSignal): Promise<Client> {
    const { apiId, owner, dcMap, egressAddress, timing, metrics } = this.services;
    return Client.open(
      {
        apiId,
        owner,
        auth: this.auth,
        fence: this.context.fence,
        dcMap,
        egressAddress,
        timing,
        onUpdate: (update) => this.onUpdate(update),
        onCall: (request, answer) => this.onCall(request, answer),
        onDoubt: () => this.probe.ring(),
        onBytes: (count) => metrics?.onBytes?.(count),
      },
      signal,
    );
  }

  /** Signs in and stays until the connection ends. */
  private async stay(client: Client, token: Buffer | undefined, signal: AbortSignal): Promise<ConnectionEnd["end"]> {
    const { context, services, scanned, auth } = this;
    const outcome = await signIn(client, { context, credentials: services, stage: auth.stage, token, scanned }, signal);
    if (outcome.kind === "migrate") return { kind: "migrate", home: client.addressOf(outcome.dcId), token: outcome.token };
    if (outcome.kind === "user") await this.enter(client, outcome.user);
    const user = outcome.kind === "user" ? outcome.user : await this.awaitPassword(client, signal);
    this.following = this.updates.follow(client, user.id.toString(), signal);
    await refreshOwnPicture(client, services.pictures, context, user, signal);
    return untilAborted(signal);
  }

  /** Durable first: whoever reads `connected` must find the account after a crash too. */
  private async enter(client: Client, user: Api.User): Promise<void> {
    if (this.auth.stage !== "authorized") await this.auth.enter("authorized");
    // Lost meanwhile: the next connection finds the login and tells of it.
    if (!client.alive) throw new ConnectionLost("lost");
    this.peers.learn([user]);
    await this.beginUpdates(client, user);
    this.signedIn = client;
    await this.context.dispatch({ type: "logged-in", account: toAccount(user, ownPictureSoFar(this.context.state(), user)) });
    this.logins.arrive(client);
  }

  private async awaitPassword(client: Client, signal: AbortSignal): Promise<Api.User> {
    const hint = await readPasswordHint(client, signal);
    if (this.auth.stage !== "password") await this.auth.enter("password");
    return this.password.wait(client, () => this.context.dispatch({ type: "password-required", hint }), signal);
  }

  private createFeed(): UpdateFeed {
    const { context, services } = this;
    const { gapMs, backoffMinMs, backoffMaxMs } = services.timing;
    const people = new People(this.peers, (userId, photoId) => services.links.mediaUrl(context.id, { chatId: userId, messageId: photoId, variant: "profile" }, "jpg"));
    const reader = new EventReader({ session: context.id, log: context.updates, links: services.links, people, logger: context.log });
    const onRefused = (error: unknown): void => this.noticed(error);
    return new UpdateFeed({ log: context.updates, logger: context.log, reader, people, metrics: services.metrics ?? {}, onRefused, gapMs, backoffMinMs, backoffMaxMs });
  }

  /** Whoever reads `connected` may rely on being told of what happens from then on. */
  private async beginUpdates(client: Client, user: Api.User): Promise<void> {
    const signal = this.connection?.signal ?? this.stop.signal;
    try {
      await this.updates.begin(client, user.id.toString(), signal);
    } catch (error) {
      signal.throwIfAborted();
      // The login stands all the same; the task that takes in updates tries again.
      this.context.log.warn({ err: error }, "updates could not be begun");
    }
  }

  /** Synchronous from the answer on: own calls count among the updates, in the order in which they come. */
  private onCall(request: Api.AnyRequest, answer: Promise<unknown>): void {
    answer.then((result) => this.peers.learn(result), () => undefined);
    this.updates.calls.follow(request, answer);
  }

  private onUpdate(update: Api.TypeUpdates): void {
    this.peers.learn(update);
    this.updates.accept(update);
    const updates = update instanceof Api.UpdateShort ? [update.update] : update instanceof Api.Updates || update instanceof Api.UpdatesCombined ? update.updates : [];
    if (updates.some((one) => one instanceof Api.UpdateLoginToken)) this.scanned.ring();
    // "Something happened that is too long to tell", a removed device for example.
    if (update instanceof Api.UpdatesTooLong) this.probe.ring();
  }
}

/** A connection that ended sooner counts as a failed attempt: whatever ends it at once must not be asked for at full speed. */
const establishedMs = 10_000;
