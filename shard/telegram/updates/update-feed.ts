import { Api } from "telegram";
import type { Ending } from "../../../shared/flow/ending.js";
import { retryUntil } from "../../redis/retry.js";
import type { Log } from "../../../shared/log/logger.js";
import { accountSequence, type DeletedMessages, type EditedMessages, sequenceOf } from "../../../shared/media/message-media.js";
import { FencedError } from "../../../shared/redis/script.js";
import { Backoff, type BackoffTiming } from "../../flow/backoff.js";
import { pause } from "../../../shared/flow/pause.js";
import type { ConnectorContext, UpdateLog } from "../../session/session-context.js";
import { channelMark } from "../chats/chat-reference.js";
import { isOutgoing } from "../chats/outgoing.js";
import type { Client } from "../client.js";
import { errorName } from "../errors.js";
import { floodSeconds } from "../flood-wait.js";
import { CallTimeout } from "../network/connection-error.js";
import type { PeerStore } from "../peers.js";
import { remembered, type Change } from "./change.js";
import { ChannelFeed, noPositions } from "./channel-feed.js";
import type { EventReader } from "./event-reader.js";
import { OwnCalls } from "./own-calls.js";
import type { People } from "./people.js";
import { type Difference, positionAt, readDifference } from "./read-difference.js";
import { UpdateCounter } from "./update-counter.js";
import { listedIn, onlyCounts, withoutEvent } from "./unpack.js";
import { UnstoredChats } from "./unstored-chats.js";
import { type Intake, UpdateInbox } from "./update-inbox.js";
import type { UpdateMetrics } from "./update-metrics.js";
import { buildCursor, parseCursor, type UpdatePosition } from "./update-position.js";
import { isWanted, nothingWanted, type Wanted, wantedOf } from "./wanted-changes.js";

/** The timing covers the pauses after failures. */
export interface UpdateFeedOptions extends BackoffTiming {
  readonly log: UpdateLog;
  readonly logger: Log;
  readonly reader: EventReader;
  readonly people: People;
  readonly metrics: UpdateMetrics;
  /** Called when the platform reports deleted messages. Never rejects. */
  readonly onDeleted: (deleted: DeletedMessages) => Promise<void>;
  /** Called before the event of an edited message is stored, because the message may have another file. Never rejects. */
  readonly onEdited: (edited: EditedMessages) => Promise<void>;
  /** Called when a call was refused with an error that may mean the end of the login. */
  readonly onRefused: (error: unknown) => void;
  /** An update that arrives early waits this long for the missing ones. */
  readonly gapMs: number;
  /** A position that no receiver waits for is stored this long after it moved. */
  readonly positionMs: number;
  readonly peers: Pick<PeerStore, "find">;
  /** Returns the types of events that the receiver gets. */
  readonly requested: ConnectorContext["requestedEvents"];
}

/**
 * Receives all updates of an account without a gap: pushes in order, and the difference for missed ones. Stores each step together with
 * its events. One task runs per connection; after a failure it continues from the stored cursor.
 */
export class UpdateFeed {
  readonly calls: OwnCalls;
  private readonly inbox: UpdateInbox;
  private readonly unstored: UnstoredChats;
  /** Refused differences in a row. Pushes wait behind each of them, so one success resets the count. */
  private readonly refusals: Backoff;
  /** True while the reader waits for input. */
  private resting = false;
  private wanted: Wanted = nothingWanted;
  private onRest: (() => void)[] = [];

  constructor(private readonly options: UpdateFeedOptions) {
    this.inbox = new UpdateInbox((change) => options.metrics.onUpdateQueue?.(change));
    this.unstored = new UnstoredChats(options.positionMs);
    this.calls = new OwnCalls((intake) => this.push(intake));
    this.refusals = new Backoff(options);
  }

  /** Queues a pushed packet. Must stay synchronous, because GramJS keeps the order only until here. */
  accept(packet: Api.TypeUpdates): void {
    // Ends links to files also while no receiver wants events of channels.
    for (const update of listedIn(packet))
      if (update instanceof Api.UpdateDeleteChannelMessages)
        void this.options.onDeleted({ sequence: channelMark(update.channelId), ids: update.messages.map(String) });
    this.push({ kind: "packet", packet, own: false });
  }

  /** Compares the account's state on the platform with the pushed updates. A later state means that pushes were lost. */
  compare(state: Api.updates.State): void {
    this.inbox.push({ kind: "state", state });
  }

  /** Resolves when everything received so far is stored, or when the signal aborts. */
  async stored(signal: Ending): Promise<void> {
    if (signal.aborted || (this.resting && this.inbox.length === 0 && this.unstored.isEmpty)) return;
    await new Promise<void>((resolve) => {
      this.onRest.push(resolve);
      this.inbox.wake();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  /** Drops all state, because the next account may be another one. */
  clear(): void {
    this.inbox.clear();
    this.unstored.clear();
    this.calls.clear();
    this.options.people.clear();
  }

  /**
   * Stores a cursor for this account if there is none. Runs before the login is announced, so that no later update is lost. Rejects when
   * the store or the platform fails.
   */
  async begin(client: Client, user: string, signal: Ending): Promise<UpdatePosition> {
    const { log, logger } = this.options;
    const text = await retryUntil(() => log.cursor(), signal);
    const stored = text === undefined ? undefined : parseCursor(text);
    if (stored?.user === user) return stored;
    if (text !== undefined && stored === undefined) logger.error("update cursor unreadable, starting at the latest update");
    if (text !== undefined) {
      // The positions of a former account are not this one's. The former cursor shows that they are still to be dropped.
      await retryUntil(() => log.advance({ cursor: text, events: [], messages: new Map(), positions: noPositions }), signal);
      await retryUntil(() => log.forget(), signal);
    }
    const state = await client.invoke(new Api.updates.GetState(), { signal, waitOutFloods: false });
    const position = positionAt(state, user, 0);
    await retryUntil(() => log.advance({ cursor: buildCursor(position), events: [], messages: new Map() }), signal);
    return position;
  }

  /** Receives updates until the signal aborts. Never rejects: after a failure it restarts from the stored cursor. */
  async follow(client: Client, user: string, signal: Ending): Promise<void> {
    await this.runUntilOver(client, user, signal);
    // The next connection fetches what still waits here. Until then it would count as waiting, and for ever if another owner follows.
    this.inbox.clear();
  }

  private async runUntilOver(client: Client, user: string, signal: Ending): Promise<void> {
    const { backoffMaxMs } = this.options;
    const own = new Backoff(this.options);
    this.refusals.reset();
    while (!signal.aborted) {
      const startedAt = performance.now();
      try {
        await this.run(client, user, signal);
      } catch (error) {
        // Another owner continues from the stored cursor.
        if (signal.aborted || error instanceof FencedError) return;
        this.options.onRefused(error);
        const waitMs = (floodSeconds(error) ?? 0) * 1000;
        this.options.logger.warn({ err: error }, "updates not processed");
        const pauseMs = isRefusal(error) ? this.refusals.afterFailure() : own.afterFailure(performance.now() - startedAt > backoffMaxMs);
        await pause(Math.max(waitMs, pauseMs), signal);
      }
    }
  }

  /** Without a receiver of events, most texts only move the count: the reader then takes several of them in one turn. */
  private push(intake: Intake): void {
    this.inbox.push(intake, !this.wanted.events && onlyCounts(intake));
  }

  private async run(client: Client, user: string, signal: Ending): Promise<void> {
    const { people } = this.options;
    const counter = new UpdateCounter(await this.begin(client, user, signal), this.options.metrics);
    const channels = new ChannelFeed({ ...this.options, calls: this.calls, push: (intake) => this.inbox.push(intake) });
    await channels.begin(signal);
    await this.choose(channels);
    // The difference contains everything received so far, but for channels, whose list is read next.
    this.inbox.clear();
    this.unstored.clear();
    await this.catchUp(client, counter, channels, signal);
    while (!signal.aborted) {
      const arrived = this.inbox.next();
      const { items, lost } = this.inbox.take(stepMax);
      if (lost) counter.demand("overflow");
      if (lost) channels.lost();
      const before = counter.position;
      await this.choose(channels);
      const changes: Change[] = [];
      for (const intake of items) {
        // If the sender is unknown, the difference supplies the user object.
        const sender = counter.bareSenderOf(intake, this.wanted.groups);
        const isUnknown = sender !== undefined && !(await people.canName(sender));
        const counted = this.wanted.events || isUnknown ? intake : withoutEvent(intake);
        changes.push(...counter.apply(counted, isUnknown, people), ...(await channels.apply(intake, this.wanted, signal)));
      }
      const wanted = this.wantedOf(changes);
      const moved = channels.takeMoved();
      if (counter.position.pts !== before.pts || counter.position.qts !== before.qts || wanted.length > 0 || moved.size > 0)
        await this.step(client, { to: counter.position, from: before, moved }, wanted, signal);
      const now = performance.now();
      const [gapMs, channelsMs, unstoredMs] = [
        counter.gapWaitMs(now, this.options.gapMs),
        channels.waitMs(now),
        this.onRest.length > 0 && !this.unstored.isEmpty ? 0 : this.unstored.waitMs(now),
      ];
      if (gapMs === 0) await this.fill(client, counter, channels, signal);
      else if (channelsMs === 0) await this.fillChannels(client, counter, channels, signal);
      else if (unstoredMs === 0) await this.store(client, { to: counter.position, from: counter.position }, [], signal);
      else if (this.inbox.length === 0) {
        this.resting = true;
        for (const resolve of this.onRest.splice(0)) resolve();
        await pause(Math.min(gapMs, channelsMs, unstoredMs), arrived, signal);
        this.resting = false;
      }
    }
  }

  /** Fetches the difference to close a gap. If repeated fetches do not close it, the held updates are applied. */
  private async fill(client: Client, counter: UpdateCounter, channels: ChannelFeed, signal: Ending): Promise<void> {
    this.options.metrics.onGap?.(counter.cause);
    const from = counter.position;
    await this.catchUp(client, counter, channels, signal);
    const changes = this.wantedOf(counter.filled());
    if (changes.length > 0) await this.store(client, { to: counter.position, from }, changes, signal);
  }

  /** Fetches what channels miss, one page at a time, so that events of private chats do not wait. */
  private async fillChannels(client: Client, counter: UpdateCounter, channels: ChannelFeed, signal: Ending): Promise<void> {
    const filled = await channels.fill(client, this.wanted, signal);
    await this.choose(channels);
    const changes = this.wantedOf(filled);
    const moved = channels.takeMoved();
    const at = counter.position;
    if (changes.length > 0 || moved.size > 0) await this.store(client, { to: at, from: at, moved }, changes, signal);
  }

  /** Reads which events the receiver wants now. An update that arrived while it wanted none gives no event. */
  private async choose(channels: ChannelFeed): Promise<void> {
    const requested = this.options.requested();
    this.wanted = wantedOf(requested instanceof Promise ? await requested : requested);
    channels.adjust(this.wanted);
  }

  private wantedOf(changes: readonly Change[]): readonly Change[] {
    return changes.filter((change) => isWanted(change, this.wanted));
  }

  private async catchUp(client: Client, counter: UpdateCounter, channels: ChannelFeed, signal: Ending): Promise<void> {
    for (;;) {
      const before = counter.position;
      const {
        kind,
        position,
        changes: missed,
        users,
        chats,
        behind,
        ownMessages,
        complete,
      } = await this.fetchDifference(client, before, signal);
      // The receiver may want events that came while the difference was fetched.
      await this.choose(channels);
      this.options.people.learn(users, chats);
      await channels.demand(behind, signal);
      if (kind === "too-long")
        this.options.logger.error(
          { from: before.pts, to: position.pts, messages: missed.length, complete },
          "missed updates no longer available, some lost",
        );
      if (kind !== "empty") {
        const changes = await this.withoutOwn(this.wantedOf(missed), new Set(ownMessages), before.user, signal);
        await this.store(client, { to: position, from: before }, changes, signal);
      }
      const released = this.wantedOf(counter.moveTo(position));
      if (released.length > 0) await this.store(client, { to: counter.position, from: position }, released, signal);
      if (kind === "empty" || kind === "whole") return;
      // Pages without progress would be requested in an endless loop.
      if (position.pts === before.pts) throw new Error("the difference does not move on");
    }
  }

  private async fetchDifference(client: Client, from: UpdatePosition, signal: Ending): Promise<Difference> {
    const { log, metrics } = this.options;
    try {
      const difference = await readDifference(client, from, { seen: log, groups: this.wanted.groups }, signal);
      metrics.onDifference?.(difference.kind);
      this.refusals.reset();
      return difference;
    } catch (error) {
      metrics.onDifference?.(floodSeconds(error) === undefined ? "failed" : "wait");
      throw error;
    }
  }

  /** Removes the session's own messages from a difference. Replies to sends in flight may still be needed to recognize them. */
  private async withoutOwn(
    changes: readonly Change[],
    ownMessages: ReadonlySet<number>,
    user: string,
    signal: Ending,
  ): Promise<readonly Change[]> {
    if (changes.some((change) => change.kind === "new" && isOutgoing(change.message, user))) await this.calls.waitForReplies(signal);
    return changes.map((change) => {
      if (change.kind !== "new" || !isOutgoing(change.message, user)) return change;
      const { id } = change.message;
      return this.calls.has(id) || ownMessages.has(id) ? { ...change, own: true } : change;
    });
  }

  /** Stores a step. While the receiver wants no events, the position may lag behind: after a crash the platform sends the same again. */
  private async step(client: Client, step: Step, changes: readonly Change[], signal: Ending): Promise<void> {
    if (this.needsReader(changes) || (step.moved?.size ?? 0) > 0) await this.store(client, step, changes, signal);
    else {
      await this.reportDeleted(changes);
      this.unstored.add(changes, performance.now());
    }
  }

  /** Edits are read in any case: the mark of the last one distinguishes a later edit from a repeat. */
  private needsReader(changes: readonly Change[]): boolean {
    return this.wanted.events || changes.some(({ kind }) => kind === "edited");
  }

  private async reportDeleted(changes: readonly Change[]): Promise<void> {
    const gone = changes.flatMap((change) => (change.kind === "deleted" && change.chat === undefined ? change.ids.map(String) : []));
    if (gone.length > 0) await this.options.onDeleted({ sequence: accountSequence, ids: gone });
  }

  private async reportEdited(changes: readonly Change[]): Promise<void> {
    for (const change of changes)
      if (change.kind === "edited" && change.message.media)
        await this.options.onEdited({
          sequence: sequenceOf({ chatId: change.chat, variant: "file" }),
          ids: [String(change.message.id)],
        });
  }

  /**
   * Stores events before the cursor, which comes with the last part. After a crash the rest is fetched again, and stored events keep their
   * ids.
   */
  private async store(
    client: Client,
    { to, from, moved = new Map<string, string>() }: Step,
    changes: readonly Change[],
    signal: Ending,
  ): Promise<void> {
    const { log, reader, metrics } = this.options;
    await this.reportDeleted(changes);
    await this.reportEdited(changes);
    const { events, messages, edits } = this.needsReader(changes)
      ? await reader.read(client, changes, signal)
      : { events: [], messages: remembered(changes), edits: noEdits };
    const unstored = this.unstored.take();
    for (let at = 0; at === 0 || at < events.length; at += stepMax) {
      const last = at + stepMax >= events.length;
      const step = {
        cursor: buildCursor(last ? to : from),
        events: events.slice(at, at + stepMax),
        messages: new Map([...(at === 0 ? unstored : []), ...(last ? messages : [])]),
        ...(last && { edits, positions: moved }),
      };
      // While Redis is unavailable, this step waits and new input collects in the queue.
      await retryUntil(() => log.advance(step), signal);
    }
    for (const { type } of events) metrics.onEvent?.(type);
  }
}

/** Where a step leads. */
interface Step {
  readonly to: UpdatePosition;
  readonly from: UpdatePosition;
  /** Positions of channels that moved, in the stored form. */
  readonly moved?: ReadonlyMap<string, string>;
}

/** Returns true when the platform refused a call or did not reply to it. */
function isRefusal(error: unknown): boolean {
  return errorName(error) !== undefined || error instanceof CallTimeout;
}

const noEdits: ReadonlyMap<string, string> = new Map();

/** Limit for the updates taken and the events stored in one step. */
const stepMax = 200;
