import { Api } from "telegram";
import typia from "typia";

/** One person's new reaction to a message. An empty `emoji`: the person removed all reactions. `at` is in Unix seconds. */
export interface PersonReaction {
  readonly person: string;
  readonly emoji: string;
  readonly at: number;
}

/** The people who reacted to a message and their emojis, in the order in which the platform lists them. */
export type Reactors = ReadonlyMap<string, readonly string[]>;

/** The stored mark of a message's reactions. */
export interface ReactionMark {
  readonly reactors: Reactors;
  /** Id of the last event, so that the same reaction after another one has an id of its own. */
  readonly event: string;
}

export interface Seen {
  /** The other person of a private chat; `undefined` in groups. */
  readonly other: string | undefined;
  /** Id of the account. */
  readonly self: string;
  /** Time of the update. */
  readonly date: number;
  /** Without a mark, older reactions than this count as known. */
  readonly since: number;
}

/**
 * Compares all reactions of a message with those known before. In groups the platform names only the newest reactors: a removal is found
 * if all are named, or if no one has the emoji any more.
 */
export function compareReactions(
  reactions: Api.MessageReactions | undefined,
  before: Reactors | undefined,
  seen: Seen,
): { readonly reactors: Reactors; readonly changed: readonly PersonReaction[] } {
  const named = namedReactors(reactions, seen);
  const counts = new Map((reactions?.results ?? []).map(({ reaction, count }) => [emojiOf(reaction), count]));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const namedCount = [...named.values()].reduce((sum, { emojis }) => sum + emojis.length, 0);
  const isComplete = namedCount >= total;
  const reactors = new Map<string, readonly string[]>();
  for (const [person, emojis] of before ?? []) {
    const kept = isComplete ? [] : emojis.filter((emoji) => (counts.get(emoji) ?? 0) > 0);
    if (kept.length > 0 && !named.has(person)) reactors.set(person, kept);
  }
  for (const [person, { emojis }] of named) reactors.set(person, emojis);
  const changed: PersonReaction[] = [];
  for (const person of new Set([...reactors.keys(), ...(before?.keys() ?? [])])) {
    const now = reactors.get(person) ?? [];
    const old = before?.get(person) ?? [];
    if (now.length === old.length && now.every((emoji) => old.includes(emoji))) continue;
    const at = named.get(person)?.at ?? seen.date;
    if (before === undefined && at < seen.since - lateSeconds) continue;
    changed.push({ person, emoji: now.find((emoji) => !old.includes(emoji)) ?? now.at(-1) ?? "", at });
  }
  return { reactors: new Map([...reactors].slice(-reactorsMax)), changed };
}

/** Returns the people whose reactions are certain. */
function namedReactors(
  reactions: Api.MessageReactions | undefined,
  { other, self, date }: Seen,
): Map<string, { readonly emojis: readonly string[]; readonly at: number }> {
  const named = new Map<string, { emojis: string[]; at: number }>();
  const add = (person: string, emoji: string, at: number): void => {
    const one = named.get(person);
    if (one === undefined) named.set(person, { emojis: [emoji], at });
    else if (!one.emojis.includes(emoji)) named.set(person, { emojis: [...one.emojis, emoji], at: Math.max(one.at, at) });
  };
  const recent = (reactions?.recentReactions ?? []).toReversed();
  for (const { peerId, reaction, date: at } of recent)
    if (peerId instanceof Api.PeerUser) add(peerId.userId.toString(), emojiOf(reaction), at);
  // A shortened list does not say which reactions are the account's own.
  if (other === undefined || reactions?.min === true) return named;
  // In a private chat the counts say who reacted.
  for (const { reaction, count, chosenOrder } of reactions?.results ?? []) {
    const isOwn = typeof chosenOrder === "number";
    if (isOwn) add(self, emojiOf(reaction), date);
    if (count > (isOwn ? 1 : 0)) add(other, emojiOf(reaction), named.get(other)?.at ?? date);
  }
  return named;
}

function emojiOf(reaction: Api.TypeReaction): string {
  if (reaction instanceof Api.ReactionEmoji) return reaction.emoticon;
  if (reaction instanceof Api.ReactionCustomEmoji) return reaction.documentId.toString();
  return reaction instanceof Api.ReactionPaid ? "⭐" : "";
}

export function packReactions({ reactors, event }: ReactionMark): string {
  return JSON.stringify([event, [...reactors]] satisfies StoredMark);
}

/** Returns `undefined` for a mark that this version cannot read. */
export function unpackReactions(mark: string | undefined): ReactionMark | undefined {
  const stored = mark === undefined ? null : parseMark(mark);
  if (stored === null) return undefined;
  const [event, reactors] = stored;
  return { event, reactors: new Map(reactors) };
}

type StoredMark = [event: string, reactors: (readonly [person: string, emojis: readonly string[]])[]];

const parseMark = typia.json.createIsParse<StoredMark>();
/** People kept for each message. */
const reactorsMax = 100;
/** Tolerance for differing server clocks and delayed pushes. */
const lateSeconds = 300;
