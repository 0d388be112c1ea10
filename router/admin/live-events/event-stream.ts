import type { RedisClient } from "../../../shared/redis/connect.js";
import { AbortScope } from "../../../shared/flow/abort-scope.js";
import { pause } from "../../../shared/flow/pause.js";
import type { Principal } from "../../tenant/principal.js";
import { endFrame, heartbeatFrame, isVisible, eventFrame, openingFrame, type EndReason } from "./event-frame.js";
import type { RecentEvents } from "./recent-events.js";
import { isBefore, isBehind, newestPosition, eventsAfter, eventsPerRead, type EventRow } from "./stored-events.js";

export interface EventStreamOptions {
  readonly principal: Principal;
  readonly redis: RedisClient;
  readonly heartbeatMs: number;
  /** Returns whether the router has read the events recently. Without heartbeats a client knows that its view may be stale. */
  readonly isCurrent: () => boolean;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
}

export type StreamEnd = "left" | "slow" | "revoked" | "stopped";

/** Random, so that the clients of a stopping router do not all reconnect at once. */
const retryMs = (): number => 1_000 + Math.round(Math.random() * 2_000);

const endOf: Readonly<Record<EndReason, StreamEnd>> = {
  "read too slowly": "slow",
  "api key is no longer valid": "revoked",
  "router stops": "stopped",
};

/** One client's event stream: first the missed events from Redis, then new ones. It buffers no events itself. */
export class EventStream implements AsyncIterator<Uint8Array, undefined, undefined> {
  private recent: RecentEvents | undefined;
  /** Position in `recent`. */
  private place = 0;
  /** Id up to which events were sent or skipped. */
  private position = "";
  /** Id up to which missed events are still to be read; `undefined` when all are read. */
  private pastEnd: string | undefined;
  private opening: string | undefined;
  private reason: EndReason | undefined;
  private over = false;
  private woken = new AbortController();

  constructor(
    private readonly options: EventStreamOptions,
    private readonly onOver: (end: StreamEnd) => void,
  ) {}

  get principal(): Principal {
    return this.options.principal;
  }

  /** `position`: the current end of `recent`. */
  async begin(recent: RecentEvents, position: string, after: string | undefined): Promise<void> {
    this.recent = recent;
    this.place = recent.end;
    const comesBack = after !== undefined && isBefore(after, position);
    if (comesBack) this.pastEnd = position;
    const missed = after !== undefined && after !== position && (await this.isUnknown(after, comesBack));
    // If the client's id is known and ahead of this router, another router has read it earlier.
    this.position = after !== undefined && (comesBack || !missed) ? after : position;
    const frame = missed ? eventFrame(this.position, { type: "missed", at: new Date().toISOString() }) : "";
    this.opening = openingFrame(this.position, retryMs()) + frame;
  }

  /** Returns true if events after `after` were trimmed, or if the id is ahead of Redis itself, for example after Redis lost data. */
  private async isUnknown(after: string, comesBack: boolean): Promise<boolean> {
    const { redis } = this.options;
    return (await isBehind(redis, after)) || (!comesBack && isBefore(await newestPosition(redis), after));
  }

  wake(): void {
    this.woken.abort();
  }

  /** Ends the stream with an event that gives the reason. */
  end(reason: EndReason): void {
    this.reason ??= reason;
    this.wake();
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      if (this.over || this.options.signal.aborted) return await this.return();
      const text = this.takeOpening() ?? this.takeEnd() ?? (await this.past()) ?? this.nextFrames();
      if (text === undefined) return { done: false, value: Buffer.from(await this.quietText()) };
      if (text !== "") return { done: false, value: Buffer.from(text) };
    }
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.finish("left");
    return Promise.resolve({ done: true, value: undefined });
  }

  private finish(end: StreamEnd): void {
    if (this.over) return;
    this.over = true;
    this.wake();
    this.onOver(end);
  }

  private takeOpening(): string | undefined {
    const text = this.opening;
    this.opening = undefined;
    return text;
  }

  private takeEnd(): string | undefined {
    if (this.reason === undefined) return undefined;
    this.finish(endOf[this.reason]);
    return endFrame(this.reason);
  }

  /** Returns the next part of the missed events, or `undefined` when there are no more. */
  private async past(): Promise<string | undefined> {
    const end = this.pastEnd;
    if (end === undefined) return undefined;
    const rows = (await eventsAfter(this.options.redis, this.position, eventsPerRead)).filter(({ id }) => !isBefore(end, id));
    if (rows.length < eventsPerRead) this.pastEnd = undefined;
    return this.framesOf(rows);
  }

  /** Returns the next part of the new events, or `undefined` when there are none. */
  private nextFrames(): string | undefined {
    const rows = this.recent?.from(this.place, eventsPerRead);
    if (rows === undefined) {
      this.end("read too slowly");
      return "";
    }
    if (rows.length === 0) return undefined;
    this.place += rows.length;
    // The client may already have the first of them from another router.
    return this.framesOf(rows.filter(({ id }) => isBefore(this.position, id)));
  }

  private framesOf(rows: readonly EventRow[]): string {
    this.position = rows.at(-1)?.id ?? this.position;
    return rows.map(({ id, event }) => (event !== undefined && isVisible(this.principal, event) ? eventFrame(id, event) : "")).join("");
  }

  /** Returns a heartbeat, or an empty text if an event arrived or events could not be read. */
  private async quietText(): Promise<string> {
    if (await this.somethingCame()) return "";
    return this.options.isCurrent() ? heartbeatFrame(this.position) : "";
  }

  /** Resolves with false when a heartbeat is due before any event. */
  private async somethingCame(): Promise<boolean> {
    this.woken = new AbortController();
    const scope = new AbortScope([this.woken.signal, this.options.signal]);
    await pause(this.options.heartbeatMs, scope);
    const came = scope.aborted;
    scope.close();
    return came;
  }
}
