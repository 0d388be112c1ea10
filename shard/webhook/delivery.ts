import type { RedisClock } from "../redis/redis-clock.js";
import { insist } from "../redis/insist.js";
import type { DeadLetterPage, DeadLetterQuery, ReplayOutput } from "../../shared/contract/dead-letters.js";
import type { WebhookSettings } from "../../shared/contract/session.js";
import { sessionNotActive, sessionNotFound, webhookIsOff } from "../../shared/contract/errors.js";
import type { Log } from "../../shared/log/logger.js";
import { FencedError } from "../../shared/redis/script.js";
import { openScope } from "../../shared/flow/abort-scope.js";
import { UnreadableRecord } from "../../shared/session/unreadable-record.js";
import type { GiveUpReason, OutboxEvent, SessionOutbox, Webhook } from "../session/store/session-outbox.js";
import { pause } from "../../shared/flow/pause.js";
import { Wake } from "../flow/wake.js";
import type { Fence, WebhookPort } from "../session/session-context.js";
import type { DestinationGate, Permit } from "./destination-gate.js";
import { destinationOf } from "./destination.js";
import { OutboxHead, type WaitingEvent } from "./outbox-head.js";
import type { Answer } from "./answer.js";
import type { Post } from "./post.js";
import { retryDelayMs } from "./retry-delay.js";
import type { TargetGuard } from "./target-guard.js";
import type { WebhookTiming } from "./timing.js";

/** What all sessions of a process share. */
export interface DeliveryParts {
  readonly post: Pick<Post, "send">;
  readonly guard: Pick<TargetGuard, "refuses">;
  readonly gate: DestinationGate;
  readonly clock: Pick<RedisClock, "ageOf">;
  readonly metrics: DeliveryMetrics;
  readonly timing: WebhookTiming;
}

export interface DeliveryMetrics {
  attempt(outcome: Answer["outcome"], seconds: number): void;
  /** Age of the event when its receiver had it. */
  delivered(ageSeconds: number): void;
  dead(reason: GiveUpReason | "full", count: number): void;
}

export interface DeliveryOptions {
  readonly outbox: SessionOutbox;
  readonly fence: Fence;
  readonly onFenced: () => void;
  /** Settings or the key of the events do not open: they wait until they do. */
  readonly onUnreadable: (record: UnreadableRecord) => void;
  readonly log: Log;
}

/** Reliability sheet 2.10.8. */
const attemptsMax = 100;
/** A look from time to time whether somebody has mended the record. */
const unreadablePauseMs = 60_000;

/**
 * Works off the outbox of one session while this process owns it: strictly in order, one request at a time, until the receiver has answered 2xx. It runs only while
 * there is something to do. All of its state is in Redis but what a new owner reads again.
 */
export class Delivery implements WebhookPort {
  private readonly end = new AbortController();
  private running: Promise<void> | undefined;
  private rung = false;
  /** As Redis has it; `undefined` while that is not known. */
  private webhook: Webhook | undefined;
  /** Its first event is being tried. */
  private readonly head: OutboxHead;
  /** The settings are about to change: no request starts before that is done. */
  private changing: Promise<unknown> | undefined;
  private readonly changed = new Wake();
  /** Counts changes: what was read from Redis around one is of before it. */
  private changes = 0;
  private inFlight: AbortController | undefined;
  private ended: Promise<void> | undefined;

  constructor(
    private readonly parts: DeliveryParts,
    private readonly options: DeliveryOptions,
    private readonly onClosed: () => void,
  ) {
    this.head = new OutboxHead(options.outbox);
  }

  /** Events may wait. Does nothing while the loop is at work already. */
  wake(): void {
    this.rung = true;
    if (this.running !== undefined || this.end.signal.aborted) return;
    this.running = this.work().finally(() => {
      this.running = undefined;
      // Rung in the very moment in which the loop ended.
      if (this.rung) this.wake();
    });
  }

  /** Events were appended to the outbox; so many of its oldest became dead letters to make room. */
  appended(overflowed: number): void {
    if (overflowed > 0) {
      this.options.log.warn({ events: overflowed }, "webhook outbox is full");
      this.parts.metrics.dead("full", overflowed);
    }
    this.wake();
  }

  /** Age of the event that waits the longest, as far as this process has looked; 0 when none waits. */
  get oldestSeconds(): number {
    const { first } = this.head;
    return first === undefined ? 0 : this.parts.clock.ageOf(first.entry) / 1_000;
  }

  get busy(): boolean {
    return this.running !== undefined;
  }

  get outbox(): SessionOutbox {
    return this.options.outbox;
  }

  refuses(url: string): Promise<boolean> {
    return this.parts.guard.refuses(new URL(url));
  }

  /** The moment from which the new settings count is the one in Redis; no request begins around it, and turning off ends the one in flight. */
  async set(settings: WebhookSettings, signal: AbortSignal): Promise<void> {
    while (this.changing !== undefined) await this.changing.catch(() => undefined);
    const before = this.webhook;
    this.forget();
    const changing = insist(() => this.fenced(() => this.options.outbox.configure(settings)), signal);
    this.changing = changing;
    try {
      const after = await changing;
      if (after === undefined) throw sessionNotFound();
      this.adopt(before, after);
    } catch (error) {
      // It may have arrived all the same.
      this.forget();
      throw error;
    } finally {
      this.changing = undefined;
      this.changed.ring();
      this.wake();
    }
  }

  async listDeadLetters({ after, limit }: DeadLetterQuery): Promise<DeadLetterPage> {
    const letters = await this.options.outbox.letters(after, limit);
    const docs = letters.map(({ entry: _, body, ...letter }) => ({ ...letter, body: JSON.parse(body.toString()) as unknown }));
    return { docs, next: letters.length < limit ? "" : (letters.at(-1)?.entry ?? "") };
  }

  async replayDeadLetters(): Promise<ReplayOutput> {
    const replay = await this.fenced(() => this.options.outbox.replay());
    if (replay === undefined) throw webhookIsOff();
    this.wake();
    return replay;
  }

  /** Ends the request in flight: at once when the slot is lost, else it may take a moment to come to its end. Idempotent. */
  close(): Promise<void> {
    this.ended ??= this.finish();
    return this.ended;
  }

  private async finish(): Promise<void> {
    this.end.abort(new DOMException("session has left", "AbortError"));
    this.changed.ring();
    if (this.running !== undefined && this.options.fence.holds()) {
      const over = new AbortController();
      await Promise.race([this.running, pause(this.parts.timing.closeMs, over.signal)]);
      over.abort();
    }
    this.inFlight?.abort();
    await this.running;
    this.onClosed();
  }

  // ---- the loop ----

  /** Never rejects. Ends when nothing waits, the webhook is off or the session has left. */
  private async work(): Promise<void> {
    const { signal } = this.end;
    while (!signal.aborted) {
      try {
        await this.changing?.catch(() => undefined);
        const webhook = this.webhook ?? (await this.load());
        if (webhook === undefined) continue;
        if (webhook.settings.url === "") {
          this.rung = false;
          return;
        }
        const next = await this.oldest();
        if (next !== undefined) await this.deliver(next, webhook);
        else if (!this.rung) return;
      } catch (error) {
        if (signal.aborted) return;
        // The slot is somebody else's; the host closes this session any moment.
        if (error instanceof FencedError) {
          this.end.abort(error);
          return;
        }
        if (error instanceof UnreadableRecord) this.options.onUnreadable(error);
        else this.options.log.warn({ err: error }, "webhook delivery could not go on");
        await pause(error instanceof UnreadableRecord ? unreadablePauseMs : this.parts.timing.redisPauseMs, this.changed.next(), signal);
      }
    }
  }

  /** `undefined` when the settings changed meanwhile: then these are the former ones, and the new ones are known or read next. */
  private async load(): Promise<Webhook | undefined> {
    const { changes } = this;
    const { settings, epoch, head, attempts, waitMs } = await this.options.outbox.read();
    this.head.drop();
    const oldest = await this.oldest();
    if (this.changes !== changes) return undefined;
    if (oldest?.entry === head) this.head.resume(attempts, Math.min(waitMs, this.parts.timing.retryAfterMaxMs));
    else this.head.restart();
    this.webhook = { settings, epoch };
    return this.webhook;
  }

  private async oldest(): Promise<WaitingEvent | undefined> {
    if (this.head.first === undefined) {
      // A ring from now on means that this look may have come too early.
      this.rung = false;
      await this.head.read();
    }
    return this.head.first;
  }

  /** One attempt at the oldest event, or what ends it without one. Whatever changes meanwhile is found by the next round. */
  private async deliver(event: WaitingEvent, webhook: Webhook): Promise<void> {
    if (!("body" in event)) return this.giveUp(event.entry, "unreadable");
    // Of an epoch that is over: its outbox was deleted under us.
    if (event.epoch !== webhook.epoch) {
      this.head.drop();
      return;
    }
    if (this.parts.clock.ageOf(event.entry) > this.parts.timing.eventMs) return this.giveUp(event.entry, "expired");
    if (this.head.attempts >= attemptsMax) return this.giveUp(event.entry, "attempts");
    const { waitMs } = this.head;
    if (waitMs > 0) {
      // A long wait wakes in between: an event can become too old while it waits.
      const leftMs = Math.max(0, this.parts.timing.eventMs - this.parts.clock.ageOf(event.entry)) + 1;
      await pause(Math.min(waitMs, leftMs), this.changed.next(), this.end.signal);
      return;
    }
    const permit = await this.permit(destinationOf(webhook.settings.url));
    if (permit === undefined) return;
    if (this.webhook !== webhook || this.changing !== undefined || this.end.signal.aborted || !this.options.fence.holds()) {
      permit.done("unspent");
      return;
    }
    await this.attempt(event, webhook, permit);
  }

  /** `undefined` when the settings changed first: the place may be at another destination now. */
  private async permit(destination: string): Promise<Permit | undefined> {
    const scope = openScope([this.changed.next(), this.end.signal]);
    try {
      return await this.parts.gate.acquire(destination, scope.signal);
    } catch {
      return undefined;
    } finally {
      scope.close();
    }
  }

  private async attempt(event: OutboxEvent, webhook: Webhook, permit: Permit): Promise<void> {
    const { post, metrics, timing, clock } = this.parts;
    const flight = new AbortController();
    this.inFlight = flight;
    const startedAt = performance.now();
    const answer = await post.send(webhook.settings, event, flight.signal);
    this.inFlight = undefined;
    permit.done(healthOf(answer));
    metrics.attempt(answer.outcome, (performance.now() - startedAt) / 1_000);
    if (answer.outcome === "ended") return;
    if (answer.outcome === "delivered") {
      metrics.delivered(clock.ageOf(event.entry) / 1_000);
      return this.settled(event.entry, () => this.options.outbox.delivered(event.entry));
    }
    const attempts = this.head.attempts + 1;
    const delayMs = retryDelayMs(attempts, answer, timing);
    this.options.log.debug({ outcome: answer.outcome, status: answer.status, attempts }, "webhook attempt failed");
    // Other settings since: they are tried at once, as Redis has it.
    this.head.resume(attempts, this.webhook === webhook ? delayMs : 0);
    if (this.webhook === webhook) await this.fenced(() => this.options.outbox.defer(event.entry, attempts, delayMs));
  }

  private async giveUp(entry: string, reason: GiveUpReason): Promise<void> {
    const { attempts } = this.head;
    await this.settled(entry, () => this.options.outbox.giveUp(entry, attempts, reason));
    this.options.log.warn({ reason, attempts }, "webhook event given up");
    this.parts.metrics.dead(reason, 1);
  }

  /** Writes that the event is done with, for as long as Redis takes and the session is ours: an answer that is forgotten is a repeat. */
  private async settled(entry: string, write: () => Promise<void>): Promise<void> {
    await insist(() => this.fenced(write), this.end.signal);
    this.head.settled(entry);
  }

  private forget(): void {
    this.changes += 1;
    this.webhook = undefined;
  }

  private adopt(before: Webhook | undefined, after: Webhook): void {
    this.changes += 1;
    this.webhook = after;
    this.head.restart();
    if (before?.epoch === after.epoch) return;
    // A request to the former address, of an epoch that is over.
    this.inFlight?.abort();
    this.head.drop();
  }

  private async fenced<T>(write: () => Promise<T>): Promise<T> {
    if (this.end.signal.aborted && !this.options.fence.holds()) throw sessionNotActive();
    try {
      return await write();
    } catch (error) {
      if (error instanceof FencedError) this.options.onFenced();
      throw error;
    }
  }
}

/** A destination that answers at all is alive, whatever it thinks of this request: one tenant's wrong path must not hold up its neighbours. */
function healthOf({ outcome, status }: Answer): "alive" | "failed" | "unspent" {
  if (outcome === "ended") return "unspent";
  return status !== undefined && status < 500 ? "alive" : "failed";
}
