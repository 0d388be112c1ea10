import type { Ending } from "../../../shared/flow/ending.js";
import type { CallOptions, KeyedCallOptions } from "../../../router/bus/call-options.js";
import { createHash, randomBytes } from "node:crypto";
import type { SessionPort } from "../../../router/endpoint/authenticate.js";
import type { CommandPort } from "../../../router/endpoint/endpoint.js";
import type { Creations } from "../../../router/sessions/idempotency/creations.js";
import { KeyRing } from "../../../shared/config/key-ring.js";
import type { HttpApp } from "../../../router/http/app.js";
import type { Idempotency } from "../../../shared/bus/envelope.js";
import type { CommandName, Input, Output } from "../../../shared/contract/commands.js";
import { newSessionId, newSessionSecret, type SessionId } from "../../../shared/contract/ids.js";
import type { Platform } from "../../../shared/contract/platform.js";
import { FormerRights } from "../../../router/sessions/former-rights.js";
import type { StoredSession } from "../../../router/sessions/session-reader.js";
import type { Admits } from "../../../router/sessions/session-records.js";
import { anApp, aSession, RecordedMetrics, toldAsTheyAre } from "./support.js";

type Answer = (input: unknown, session: SessionId, signal: Ending | undefined) => unknown;

/** Replaces the router's other side in memory: one session, and commands with responses that the test sets. */
export abstract class RouterUnderTest<P extends Platform> implements SessionPort, CommandPort {
  readonly id = newSessionId(Date.now());
  readonly secret = newSessionSecret();
  readonly metrics = new RecordedMetrics();
  readonly calls: { command: string; session: SessionId; input: unknown }[] = [];
  readonly app: HttpApp = anApp(this.metrics);
  readonly ring = KeyRing.parse(`a:${randomBytes(32).toString("base64")}`);
  /** `POST /session` with an idempotency key needs Redis, so its tests do not use this class. */
  readonly creations: Pick<Creations, "claim" | "finish"> = {
    claim: () => Promise.reject(new Error("no idempotency key is expected here")),
    finish: () => Promise.reject(new Error("no idempotency key is expected here")),
  };
  readonly guard = toldAsTheyAre;
  readonly former = new FormerRights();
  session: StoredSession | undefined;
  /** Whether the router has the session in its cache. */
  remembers = false;
  /** The session's new record while a request waits for its owner. */
  later: StoredSession | undefined;
  /** Identities of the requests with an idempotency key. */
  readonly identities: Idempotency[] = [];
  answers: Partial<Record<CommandName<P>, Answer>> = {};

  constructor(readonly platform: P) {
    this.session = aSession({ id: this.id, platform, secretHash: createHash("sha256").update(this.secret).digest("hex") });
  }

  get base(): string {
    return `http://127.0.0.1:${this.app.port}/${this.platform}`;
  }

  /** Sends a request with the right credentials. */
  async fetch(route: string, { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {}): Promise<Response> {
    const [method = "GET", path = ""] = route.split(" ");
    const json: Record<string, string> = body === undefined ? {} : { "Content-Type": "application/json" };
    return await fetch(this.base + path, {
      method,
      headers: { id: this.id, "session-id": this.secret, ...json, ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  }

  read(platform: Platform, id: SessionId, admits: Admits = () => true): Promise<StoredSession | undefined> {
    const session = this.session?.id === id && this.session.platform === platform ? this.session : undefined;
    return Promise.resolve(admits(session) ? session : undefined);
  }

  /** Returns the session if the router's cache holds it. */
  atHand(platform: Platform, id: SessionId, admits: Admits): StoredSession | undefined {
    const { session } = this;
    return this.remembers && session?.id === id && session.platform === platform && admits(session) ? session : undefined;
  }

  waitActive(): Promise<StoredSession | undefined> {
    return Promise.resolve(this.later ?? this.session);
  }

  async callKeyed<Q extends Platform, C extends CommandName<Q>>(
    platform: Q,
    command: C,
    session: SessionId,
    input: Input<Q, C>,
    { idempotency, signal }: KeyedCallOptions,
  ): Promise<{ output: Output<Q, C>; replayed: boolean }> {
    const replayed = this.identities.some(({ id }) => id === idempotency.id);
    this.identities.push(idempotency);
    return { output: await this.call(platform, command, session, input, { signal }), replayed };
  }

  async call<Q extends Platform, C extends CommandName<Q>>(
    _platform: Q,
    command: C,
    session: SessionId,
    input: Input<Q, C>,
    { signal }: CallOptions = {},
  ): Promise<Output<Q, C>> {
    this.calls.push({ command, session, input });
    const answer = Object.entries<Answer | undefined>(this.answers).find(([name]) => name === command)?.[1];
    if (answer === undefined) throw new Error(`no answer for ${command}`);
    return (await answer(input, session, signal)) as Output<Q, C>;
  }
}
