import { Api } from "telegram";
import typia from "typia";
import type { Ending } from "../../../shared/flow/ending.js";
import type { Log } from "../../../shared/log/logger.js";
import { retryUntil } from "../../redis/retry.js";
import type { UpdateLog } from "../../session/session-context.js";
import { dialogFolders, dialogPages, dialogsOf } from "../chats/dialogs.js";
import type { Client } from "../client.js";
import { errorName } from "../errors.js";
import { floodSeconds } from "../flood-wait.js";
import { CallTimeout } from "../network/connection-error.js";
import type { PeerStore } from "../peers.js";
import { unseenNames } from "../chats/chat-directory.js";
import { markOfPeer } from "../convert.js";
import { type Change, toChanges, uncountedChanges } from "./change.js";
import { type ChannelPosition, ChannelPositions } from "./channel-positions.js";
import type { OwnCalls } from "./own-calls.js";
import type { People } from "./people.js";
import { readChannelDifference } from "./read-channel-difference.js";
import { channelUpdateOf, isOfChannel, unpack } from "./unpack.js";
import type { ChannelRow, Intake } from "./update-inbox.js";
import type { UpdateMetrics } from "./update-metrics.js";
import { followsSupergroups, type Wanted } from "./wanted-changes.js";

export interface ChannelFeedOptions {
  readonly log: Pick<UpdateLog, "positionsOf">;
  readonly logger: Log;
  readonly peers: Pick<PeerStore, "find">;
  readonly people: People;
  readonly calls: OwnCalls;
  /** Appends to what the feed applies next. */
  readonly push: (intake: Intake) => void;
  readonly metrics: UpdateMetrics;
  /** An update that arrives early waits this long for the missing ones. */
  readonly gapMs: number;
}

/**
 * Follows the channels and supergroups of one connection, while the receiver wants their events. The list of chats gives the position of
 * each, so a channel with lost updates is noticed at every connection.
 */
export class ChannelFeed {
  private readonly positions = new ChannelPositions();
  /** When the receiver began to want these events, in Unix milliseconds; 0 while it does not. Older positions do not count. */
  private began = 0;
  /** Whether `began` differs from what is stored. */
  private isNew = false;
  /** When the list of chats is read next, by a steady clock. */
  private surveyAt = Number.POSITIVE_INFINITY;
  /** Until when the platform wants no more of these calls, by the same clock: its flood waits count for all channels. */
  private floodUntil = 0;

  constructor(private readonly options: ChannelFeedOptions) {}

  /** Reads whether earlier positions count. Call once per connection, before anything else. Rejects when the log cannot be read. */
  async begin(signal: Ending): Promise<void> {
    const [stored] = await retryUntil(() => this.options.log.positionsOf([beganName]), signal);
    this.began = stored === undefined ? 0 : Number(stored);
    if (this.began > 0) this.surveyAt = 0;
  }

  /** Called when input was dropped: the list of chats shows what is missing. */
  lost(): void {
    if (this.began > 0) this.surveyAt = 0;
  }

  /** Starts or stops to follow channels, as the receiver's events demand. */
  adjust(wanted: Wanted): void {
    const follows = followsSupergroups(wanted) || wanted.posts;
    if (follows === this.began > 0) return;
    this.began = follows ? Date.now() : 0;
    this.isNew = true;
    this.positions.clear();
    this.surveyAt = follows ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Returns the changes that can become events now. */
  async apply(intake: Intake, wanted: Wanted, signal: Ending): Promise<readonly Change[]> {
    if (this.began === 0) return [];
    if (intake.kind === "packet") return await this.applyPacket(intake.packet, intake.own, wanted, signal);
    if (intake.kind === "channels") await this.compare(intake.rows, signal);
    if (intake.kind !== "counted" || intake.channel === undefined) return [];
    await this.open(intake.channel, signal);
    return this.positions.apply(intake.channel, { pts: intake.pts, count: intake.count, item: [] }, performance.now());
  }

  private async applyPacket(packet: Api.TypeUpdates, own: boolean, wanted: Wanted, signal: Ending): Promise<readonly Change[]> {
    const { updates, date } = unpack(packet);
    const changes: Change[] = [];
    for (const update of updates) {
      const origin = { date, since: date, own, missed: false };
      if (isOfChannel(update)) {
        const [reacted] = uncountedChanges(update, origin);
        // Behind a gap the reaction would overtake earlier ones. The difference has the message's latest state.
        if (reacted?.kind === "reacted" && !this.positions.isWaiting(reacted.chat)) changes.push(reacted);
        continue;
      }
      const counted = channelUpdateOf(update);
      if (counted === undefined || !isFollowed(update, wanted)) continue;
      const { channel, pts, count } = counted;
      await this.open(channel, signal);
      // A channel is followed from its first message on. What was deleted before gives no event.
      if (!this.positions.has(channel) && isMessage(update)) this.positions.start(channel, { pts: pts - count, newest: 0 });
      if (counted.update === undefined) this.positions.demand(channel);
      else changes.push(...this.positions.apply(channel, { pts, count, item: toChanges(update, origin) }, performance.now()));
    }
    return changes;
  }

  /** Makes the differences of channels due that the account's difference names. */
  async demand(channels: readonly string[], signal: Ending): Promise<void> {
    if (this.began === 0) return;
    for (const channel of channels) {
      await this.open(channel, signal);
      this.positions.demand(channel);
    }
  }

  /** Returns the milliseconds until `fill` has something to do; 0 for now. */
  waitMs(now: number): number {
    const dueMs = this.positions.due(now, this.options.gapMs)?.waitMs ?? Number.POSITIVE_INFINITY;
    return Math.max(0, this.floodUntil - now, Math.min(this.surveyAt - now, dueMs));
  }

  /**
   * Fetches what is due: the list of chats, or one page of a channel's difference. Returns the changes in it. A refusal makes it due again
   * later; rejects when the connection is lost.
   */
  async fill(client: Client, wanted: Wanted, signal: Ending): Promise<readonly Change[]> {
    const now = performance.now();
    if (this.floodUntil > now) return [];
    if (this.surveyAt <= now) {
      await this.survey(client, wanted, signal);
      return [];
    }
    const due = this.positions.due(now, this.options.gapMs);
    if (due === undefined || due.waitMs > 0) return [];
    return await this.readOne(client, due.channel, signal);
  }

  /** Returns what moved since the last call, in the stored form. */
  takeMoved(): ReadonlyMap<string, string> {
    const moved = this.positions.takeMoved();
    if (!this.isNew && moved.size === 0) return nothingMoved;
    const stored = new Map<string, string>();
    if (this.isNew) stored.set(beganName, this.began === 0 ? "" : String(this.began));
    this.isNew = false;
    for (const [channel, { pts, newest }] of moved) stored.set(channel, JSON.stringify([this.began, pts, newest]));
    return stored;
  }

  /** Follows a channel from its stored position, if there is one. */
  private async open(channel: string, signal: Ending): Promise<void> {
    if (this.positions.has(channel)) return;
    const [stored] = await retryUntil(() => this.options.log.positionsOf([channel]), signal);
    const position = this.parse(stored);
    if (position !== undefined) this.positions.open(channel, position);
  }

  private parse(stored: string | undefined): ChannelPosition | undefined {
    const parts = stored === undefined ? null : parsePosition(stored);
    if (parts === null) return undefined;
    const [began, pts, newest] = parts;
    return began === this.began ? { pts, newest } : undefined;
  }

  /** Reads the list of chats. Its channels are compared after the pushes that came before it. */
  private async survey(client: Client, wanted: Wanted, signal: Ending): Promise<void> {
    const { people, push } = this.options;
    try {
      for (const folder of dialogFolders) {
        for await (const page of dialogPages(client, folder, signal)) {
          people.learn([], page.chats);
          const rows = dialogsOf(page).flatMap(({ peer, pts, topMessage }) => {
            const channel = peer instanceof Api.PeerChannel ? markOfPeer(peer) : undefined;
            const follows = channel !== undefined && (people.isBroadcast(channel) ? wanted.posts : followsSupergroups(wanted));
            return follows && pts ? [{ channel, pts, newest: topMessage }] : [];
          });
          if (rows.length > 0) push({ kind: "channels", rows });
        }
      }
      this.surveyAt = Number.POSITIVE_INFINITY;
    } catch (error) {
      this.surveyAt = performance.now() + this.pauseAfter(error);
    }
  }

  /** Fetches what channels miss. A channel that is not followed yet is followed from here on. */
  private async compare(rows: readonly ChannelRow[], signal: Ending): Promise<void> {
    const unknown = rows.filter(({ channel }) => !this.positions.has(channel));
    const stored = await retryUntil(() => this.options.log.positionsOf(unknown.map(({ channel }) => channel)), signal);
    for (const [at, { channel, pts, newest }] of unknown.entries()) {
      const position = this.parse(stored[at]);
      if (position === undefined) this.positions.start(channel, { pts, newest });
      else this.positions.open(channel, position);
    }
    for (const { channel, pts } of rows) if ((this.positions.positionOf(channel)?.pts ?? pts) < pts) this.positions.demand(channel);
  }

  private async readOne(client: Client, channel: string, signal: Ending): Promise<readonly Change[]> {
    const { peers, people, metrics, logger, calls } = this.options;
    const { positions } = this;
    const from = positions.positionOf(channel);
    const peer = await peers.find(channel);
    if (from === undefined || peer === undefined) {
      positions.drop(channel);
      return [];
    }
    try {
      metrics.onGap?.("channel");
      const date = Math.floor(Date.now() / 1000);
      const difference = await readChannelDifference(client, peer, { from, date }, signal);
      const { kind, position, users, chats, complete } = difference;
      // The history replaces a difference that is too long, unless it is too long as well.
      metrics.onDifference?.(kind === "too-long" && complete ? "whole" : kind);
      people.learn(users, chats);
      if (!complete) logger.warn({ from: from.pts, to: position.pts }, "channel's missed updates no longer available, some lost");
      if (difference.changes.some((change) => change.kind === "new" && change.message.out === true)) await calls.waitForReplies(signal);
      const missed = difference.changes.map((change) =>
        change.kind === "new" && calls.hasInChannel(channel, change.message.id) ? { ...change, own: true } : change,
      );
      const released = positions.moveTo(channel, position);
      if (kind === "part" && position.pts > from.pts) {
        positions.demand(channel);
        return [...missed, ...released];
      }
      return [...missed, ...released, ...positions.filled(channel, performance.now())];
    } catch (error) {
      if (unseenNames.has(errorName(error) ?? "")) {
        // The account has left the channel.
        positions.drop(channel);
        return [];
      }
      positions.failed(channel, performance.now(), this.pauseAfter(error));
      return [];
    }
  }

  /** Returns the milliseconds to wait after a refusal. Rethrows other errors. */
  private pauseAfter(error: unknown): number {
    const { metrics, logger } = this.options;
    const seconds = floodSeconds(error);
    if (errorName(error) === undefined && seconds === undefined && !(error instanceof CallTimeout)) throw error;
    metrics.onDifference?.(seconds === undefined ? "failed" : "wait");
    logger.warn({ err: error }, "channel updates not processed");
    if (seconds !== undefined) this.floodUntil = performance.now() + seconds * 1000;
    return (seconds ?? 0) * 1000 + retryMs;
  }
}

function isMessage(update: Api.TypeUpdate): update is Api.UpdateNewChannelMessage | Api.UpdateEditChannelMessage {
  return update instanceof Api.UpdateNewChannelMessage || update instanceof Api.UpdateEditChannelMessage;
}

/** Posts of channels and messages of supergroups are followed separately. Other updates matter to channels that are followed. */
function isFollowed(update: Api.TypeUpdate, wanted: Wanted): boolean {
  if (!isMessage(update)) return true;
  const { message } = update;
  const isPost = !(message instanceof Api.MessageEmpty) && message.post === true;
  return isPost ? wanted.posts : followsSupergroups(wanted);
}

/** Name of the stored `began`, which no channel has. */
const beganName = "channels";
/** Makes all stored positions count no more, in the form of a step's positions. */
export const noPositions: ReadonlyMap<string, string> = new Map([[beganName, ""]]);
const nothingMoved: ReadonlyMap<string, string> = new Map();
const retryMs = 10_000;

const parsePosition = typia.json.createIsParse<[began: number, pts: number, newest: number]>();
