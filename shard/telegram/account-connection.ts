import { Api } from "telegram";
import type { Ending } from "../../shared/flow/ending.js";
import { AbortScope, untilAborted } from "../../shared/flow/abort-scope.js";
import type { Route } from "../egress/egress.js";
import { Notifier } from "../flow/notifier.js";
import type { ConnectorContext } from "../session/session-context.js";
import { AuthStore } from "./auth-store.js";
import { Client } from "./client.js";
import { endOf, isKeyRefused, type Migration, type TelegramEnd } from "./connection-end.js";
import { toAccount } from "./convert.js";
import { keepAlive } from "./keep-alive.js";
import { readPasswordHint } from "./login.js";
import { ConnectionLost } from "./network/connection-error.js";
import { ownPictureSoFar, refreshOwnPicture } from "./own-picture.js";
import type { PeerStore } from "./peers.js";
import { signIn } from "./sign-in.js";
import type { OpenedApp, TelegramServices } from "./services.js";
import { PasswordPrompt } from "./two-step/password-prompt.js";
import { PasswordTries } from "./two-step/password-tries.js";
import { listedIn } from "./updates/unpack.js";
import type { UpdateFeed } from "./updates/update-feed.js";

export interface AccountConnectionParts {
  /** Records the access hashes of users and chats in every update and result. */
  readonly peers: PeerStore;
  readonly updates: UpdateFeed;
  /** Called when the account is logged in on this connection. Must not throw. */
  readonly onEntered: (client: Client) => void;
}

/**
 * The connections of one account, each from dialling to its end. Keeps the keys and an unfinished login to another data centre between
 * connections.
 */
export class AccountConnection {
  private readonly auth: AuthStore;
  private readonly password: PasswordPrompt;
  private readonly scanned = new Notifier();
  private readonly probe = new Notifier();
  /** The next connection uses this token to finish the login at the account's home data centre. */
  private token: Buffer | undefined;
  private signedIn: Client | undefined;
  private connection: AbortScope | undefined;
  /** Settles when the update task of the current connection has ended. */
  private following: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: ConnectorContext,
    private readonly services: TelegramServices,
    private readonly parts: AccountConnectionParts,
  ) {
    this.auth = new AuthStore(context.credentials, services.startDc, context.log);
    this.password = new PasswordPrompt(() => context.state(), new PasswordTries(context.secrets));
  }

  /** The connection of the logged-in account; `undefined` while there is none. */
  get client(): Client | undefined {
    return this.signedIn;
  }

  /** True when no login is stored. */
  get isNew(): boolean {
    return this.auth.stage === "none";
  }

  load(): Promise<void> {
    return this.auth.load();
  }

  /** Resolves when no write is in flight. */
  idle(): Promise<void> {
    return this.auth.idle();
  }

  forget(): Promise<void> {
    // A pending login at another data centre is dropped as well.
    this.token = undefined;
    return this.auth.forget();
  }

  /** Returns a keyed hash for text that must not be stored in the clear. It changes with each login. */
  fingerprint(text: string): string {
    return this.auth.fingerprint(text);
  }

  /** Makes the next connection go to `home`, where `token` finishes the login. */
  migrate({ home, token }: Migration): void {
    this.auth.moveHome(home);
    this.token = token;
  }

  /** See `PasswordPrompt.submit`. Resolves when the account is logged in and the state says so. */
  submitPassword(password: string, signal: Ending): Promise<void> {
    return this.password.submit(password, (client, user, connection) => this.enter(client, user, connection), signal);
  }

  /** Ends the current connection with `reason`. */
  end(reason: unknown): void {
    this.connection?.abort(reason);
  }

  /** Runs one connection and resolves with how it ended, after its sockets are closed. Aborting `ending` ends it. */
  async connect(app: OpenedApp, ending: Ending): Promise<TelegramEnd> {
    const connection = new AbortScope([ending]);
    // Not its `AbortSignal`, whose listeners are several times as expensive: each incoming update adds and removes one.
    const signal: Ending = connection;
    this.connection = connection;
    const { token } = this;
    this.token = undefined;
    const startedAt = performance.now();
    let client: Client | undefined;
    let tasks: Promise<unknown>[] = [];
    try {
      signal.throwIfAborted();
      client = await this.open(app, this.services.egress.route(await this.context.proxy()), signal);
      void client.lost.then((reason) => connection.abort(new ConnectionLost(reason)));
      const stay = this.stay(app, client, token, signal);
      const guard = this.guard(client, signal);
      tasks = [stay, guard];
      return await untilAborted(Promise.race([stay, guard.then(() => stay)]), signal);
    } catch (error) {
      const established = client !== undefined && performance.now() - startedAt > establishedMs;
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (!this.auth.hasLogin && isKeyRefused(reason)) this.auth.dropUnusedKeys();
      return endOf(reason, { established, hadLogin: this.auth.hasLogin });
    } finally {
      this.signedIn = undefined;
      this.connection = undefined;
      connection.abort(new ConnectionLost("lost"));
      connection.close();
      await client?.close();
      await Promise.allSettled([...tasks, this.following]);
      // A key without a login is dropped, so the next connection makes a new one.
      if (this.auth.stage === "none") this.auth.dropUnusedKeys();
    }
  }

  private open({ apiId, owner }: OpenedApp, route: Route, signal: Ending): Promise<Client> {
    const { device, dcMap, timing, incoming, metrics } = this.services;
    return Client.open(
      {
        apiId,
        device,
        owner,
        auth: this.auth,
        fence: this.context.fence,
        dcMap,
        route,
        timing,
        onUpdate: (update) => this.onUpdate(update),
        onCall: (request, reply) => this.onCall(request, reply),
        onDoubt: () => this.probe.notify(),
        onFlood: (seconds, isWaitedOut) => metrics?.onFlood?.(isWaitedOut ? "waited" : "returned", seconds),
        onSocket: (socket) => incoming?.order(socket, this.context.id),
        onBytes: (count) => metrics?.onBytes?.(count),
      },
      signal,
    );
  }

  private guard(client: Client, signal: Ending): Promise<void> {
    const { timing } = this.services;
    const { updates } = this.parts;
    return keepAlive(
      client,
      { timing, probe: this.probe, signedIn: () => this.signedIn === client, onState: (state) => updates.compare(state) },
      signal,
    );
  }

  /** Signs in and stays until the connection ends. While it stays it keeps nothing of the login, such as the platform's user object. */
  private async stay(app: OpenedApp, client: Client, token: Buffer | undefined, signal: Ending): Promise<TelegramEnd> {
    const migration = await this.logIn(app, client, token, signal);
    return migration ?? (await untilAborted(new Promise<never>(() => undefined), signal));
  }

  /** Resolves when the account is logged in and its picture is current, or with where the login goes on. */
  private async logIn(app: OpenedApp, client: Client, token: Buffer | undefined, signal: Ending): Promise<TelegramEnd | undefined> {
    const { context, services, scanned, auth } = this;
    // The login stage is stored before a code is shown: a phone that scans the code accepts this key.
    if (auth.stage === "none") await auth.enter("shown");
    const outcome = await signIn(client, { context, credentials: app, stage: auth.stage, token, scanned }, signal);
    if (outcome.kind === "migrate") return { kind: "migrate", home: client.addressOf(outcome.dcId), token: outcome.token };
    if (outcome.kind === "user") await this.enter(client, outcome.user, signal);
    const user = outcome.kind === "user" ? outcome.user : await this.awaitPassword(client, signal);
    this.following = this.parts.updates.follow(client, user.id.toString(), signal);
    await refreshOwnPicture(client, services.pictures, context, user, signal);
    return undefined;
  }

  /** Stored before the state becomes `connected`: a client that reads `connected` must still find the account after a crash. */
  private async enter(client: Client, user: Api.User, signal: Ending): Promise<void> {
    if (this.auth.stage !== "authorized") await this.auth.enter("authorized");
    // If the connection was lost meanwhile, the next connection finds the stored login and reports it.
    if (!client.alive) throw new ConnectionLost("lost");
    this.parts.peers.learn([user]);
    await this.beginUpdates(client, user, signal);
    this.signedIn = client;
    await this.context.dispatch({ type: "logged-in", account: toAccount(user, ownPictureSoFar(this.context.state(), user)) });
    this.parts.onEntered(client);
  }

  private async awaitPassword(client: Client, signal: Ending): Promise<Api.User> {
    const hint = await readPasswordHint(client, signal);
    if (this.auth.stage !== "password") await this.auth.enter("password");
    return this.password.wait(client, () => this.context.dispatch({ type: "password-required", hint }), signal);
  }

  /** Runs before the state becomes `connected`: clients rely on receiving every update from then on. */
  private async beginUpdates(client: Client, user: Api.User, signal: Ending): Promise<void> {
    try {
      await this.parts.updates.begin(client, user.id.toString(), signal);
    } catch (error) {
      signal.throwIfAborted();
      // The login still succeeds: the update task retries the subscription.
      this.context.log.warn({ err: error }, "update subscription failed");
    }
  }

  /** Must stay synchronous after the reply: the account's own calls count among the updates, in order of arrival. */
  private onCall(request: Api.AnyRequest, reply: Promise<unknown>): void {
    const { peers, updates } = this.parts;
    reply.then(
      (result) => peers.learn(result),
      () => undefined,
    );
    updates.calls.follow(request, reply);
  }

  private onUpdate(update: Api.TypeUpdates): void {
    this.parts.peers.learn(update);
    this.parts.updates.accept(update);
    if (listedIn(update).some((one) => one instanceof Api.UpdateLoginToken)) this.scanned.notify();
    // The platform sends this for changes that it does not list, such as a removed device.
    if (update instanceof Api.UpdatesTooLong) this.probe.notify();
  }
}

/** A connection that ends sooner counts as a failed attempt, so that the session backs off instead of reconnecting at full speed. */
const establishedMs = 10_000;
