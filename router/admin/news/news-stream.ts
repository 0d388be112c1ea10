import type { RedisClient } from "../../../shared/redis/connect.js";
import { AbortScope } from "../../../shared/flow/abort-scope.js";
import { pause } from "../../../shared/flow/pause.js";
import type { Principal } from "../../tenant/principal.js";
import { endFrame, heartbeatFrame, isVisible, newsFrame, openingFrame, type EndReason } from "./news-frame.js";
import type { RecentNews } from "./recent-news.js";
import { isBefore, isBehind, newestPosition, newsAfter, newsAtOnce, type NewsRow } from "./stored-news.js";

export interface NewsStreamOptions {
  readonly principal: Principal;
  readonly redis: RedisClient;
  readonly heartbeatMs: number;
  /** The router has read the news lately: a client that hears no heartbeat knows that what it shows may be old. */
  readonly isCurrent: () => boolean;
  /** Its client has left. */
  readonly signal: AbortSignal;
}

export type StreamEnd = "left" | "slow" | "revoked" | "stopped";

/** Clients of a router that stops do not all come back in one moment. */
const retryMs = (): number => 1_000 + Math.round(Math.random() * 2_000);

const endOf: Readonly<Record<EndReason, StreamEnd>> = {
  "read too slowly": "slow",
  "api key is no longer valid": "revoked",
  "router stops": "stopped",
};

/** One client's events, piece by piece as it takes them: first what it missed, out of Redis, then what comes. Holds nothing of them itself. */
export class NewsStream implements AsyncIterator<Uint8Array, undefined, undefined> {
  private recent: RecentNews | undefined;
  /** Its place in what is recent. */
  private place = 0;
  /** Up to where it was told, or passed over. */
  private position = "";
  /** Up to where the past is to be read; `undefined` when it was. */
  private pastEnd: string | undefined;
  private opening: string | undefined;
  private reason: EndReason | undefined;
  private over = false;
  private woken = new AbortController();

  constructor(
    private readonly options: NewsStreamOptions,
    private readonly onOver: (end: StreamEnd) => void,
  ) {}

  get principal(): Principal {
    return this.options.principal;
  }

  /** `position`: where `recent` ends now. */
  async begin(recent: RecentNews, position: string, after: string | undefined): Promise<void> {
    this.recent = recent;
    this.place = recent.end;
    const comesBack = after !== undefined && isBefore(after, position);
    if (comesBack) this.pastEnd = position;
    const missed = after !== undefined && after !== position && (await this.isUnknown(after, comesBack));
    // Where it is ahead of ours and known, another router was quicker to read it.
    this.position = after !== undefined && (comesBack || !missed) ? after : position;
    const news = missed ? newsFrame(this.position, { type: "missed", at: new Date().toISOString() }) : "";
    this.opening = openingFrame(this.position, retryMs()) + news;
  }

  /** Some of what came behind it is not kept; or it is ahead of Redis itself, given out by another one or before this one lost its data. */
  private async isUnknown(after: string, comesBack: boolean): Promise<boolean> {
    const { redis } = this.options;
    return (await isBehind(redis, after)) || (!comesBack && isBefore(await newestPosition(redis), after));
  }

  wake(): void {
    this.woken.abort();
  }

  /** Its last event says why. */
  end(reason: EndReason): void {
    this.reason ??= reason;
    this.wake();
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      if (this.over || this.options.signal.aborted) return await this.return();
      const text = this.takeOpening() ?? this.takeEnd() ?? (await this.past()) ?? this.news();
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

  /** The next part of what came before this stream was opened; `undefined` when it has all of it. */
  private async past(): Promise<string | undefined> {
    const end = this.pastEnd;
    if (end === undefined) return undefined;
    const rows = (await newsAfter(this.options.redis, this.position, newsAtOnce)).filter(({ id }) => !isBefore(end, id));
    if (rows.length < newsAtOnce) this.pastEnd = undefined;
    return this.framesOf(rows);
  }

  /** The next part of what came since; `undefined` when there is none. */
  private news(): string | undefined {
    const rows = this.recent?.from(this.place, newsAtOnce);
    if (rows === undefined) {
      this.end("read too slowly");
      return "";
    }
    if (rows.length === 0) return undefined;
    this.place += rows.length;
    // Its client may have had the first of them from another router.
    return this.framesOf(rows.filter(({ id }) => isBefore(this.position, id)));
  }

  private framesOf(rows: readonly NewsRow[]): string {
    this.position = rows.at(-1)?.id ?? this.position;
    return rows.map(({ id, news }) => (news !== undefined && isVisible(this.principal, news) ? newsFrame(id, news) : "")).join("");
  }

  /** A heartbeat, or nothing when news came meanwhile or could not be read. */
  private async quietText(): Promise<string> {
    if (await this.somethingCame()) return "";
    return this.options.isCurrent() ? heartbeatFrame(this.position) : "";
  }

  /** False when nothing did for so long that a heartbeat is due. */
  private async somethingCame(): Promise<boolean> {
    this.woken = new AbortController();
    const scope = new AbortScope([this.woken.signal, this.options.signal]);
    await pause(this.options.heartbeatMs, scope);
    const came = scope.aborted;
    scope.close();
    return came;
  }
}
