import { Api } from "telegram";
import typia from "typia";
import type { Ending } from "../../../shared/flow/ending.js";
import type { Client } from "../client.js";
import { errorName } from "../errors.js";
import { floodSeconds } from "../flood-wait.js";
import { CallTimeout } from "../network/connection-error.js";
import { type PeerStore, toInputPeer } from "../peers.js";
import { markOfPeer } from "../convert.js";

/** A poll that shows its voters, with the votes that are known. */
export interface FollowedPoll {
  readonly chat: string;
  readonly message: number;
  /** Ids of the options (base64), with their texts. */
  readonly options: readonly (readonly [id: string, text: string])[];
  /** Ids of the chosen options by voter. */
  readonly votes: ReadonlyMap<string, readonly string[]>;
  /** Id of the last event, so that the same vote after another one has an id of its own. */
  readonly event: string;
}

/** One person's vote. `at` is in Unix seconds. */
export interface Vote {
  readonly person: string;
  readonly chosen: readonly string[];
  readonly at: number;
}

/** Returns the poll of a message, without votes; `undefined` for anonymous polls, whose votes no one can read. */
export function followedPoll(
  { id: message, media }: Api.Message,
  chat: string,
): { readonly name: string; readonly poll: FollowedPoll } | undefined {
  if (!(media instanceof Api.MessageMediaPoll) || media.poll.publicVoters !== true) return undefined;
  // The class of an option in a poll that a client sends is of this type too, in the schema of the library's successor.
  const answers = media.poll.answers.filter((answer) => answer instanceof Api.PollAnswer).slice(0, optionsMax);
  const options = answers.map(({ option, text }) => [option.toString("base64"), text.text] as const);
  return { name: pollName(media.poll.id), poll: { chat, message, options, votes: new Map(), event: "" } };
}

export const pollName = (id: { toString(): string }): string => `poll ${id.toString()}`;

/**
 * Returns the newest votes; `undefined` if the platform does not give them, such as before the account has voted itself. `complete`: these
 * are all votes. Rejects when the connection is lost.
 */
export async function readVotes(
  client: Client,
  { chat, message }: FollowedPoll,
  peers: Pick<PeerStore, "find">,
  signal: Ending,
): Promise<{ readonly votes: readonly Vote[]; readonly complete: boolean; readonly users: readonly Api.TypeUser[] } | undefined> {
  const peer = await peers.find(chat);
  if (peer === undefined) return undefined;
  try {
    const request = new Api.messages.GetPollVotes({ peer: toInputPeer(peer), id: message, limit: votesMax });
    const { votes, users, nextOffset } = await client.invoke(request, { signal, deadlineMs, waitOutFloods: false });
    return { votes: votes.flatMap(toVote), complete: !nextOffset, users };
  } catch (error) {
    // The next vote brings these ones as well.
    if (errorName(error) !== undefined || floodSeconds(error) !== undefined || error instanceof CallTimeout) return undefined;
    throw error;
  }
}

/** Returns the votes that changed, oldest first. People who are missing in a complete list have withdrawn their votes. */
export function compareVotes(
  before: FollowedPoll["votes"],
  { votes, complete, date }: { readonly votes: readonly Vote[]; readonly complete: boolean; readonly date: number },
): readonly Vote[] {
  const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((one) => b.includes(one));
  const changed = votes.filter(({ person, chosen }) => !isSame(before.get(person) ?? [], chosen)).toReversed();
  const listed = new Set(votes.map(({ person }) => person));
  const gone = complete ? [...before].flatMap(([person, chosen]) => (chosen.length === 0 || listed.has(person) ? [] : [person])) : [];
  return [...changed, ...gone.map((person) => ({ person, chosen: [], at: date }))];
}

/** Returns the known votes with changed ones, newest last: the oldest are forgotten first. */
export function withVotes(before: FollowedPoll["votes"], changed: readonly Vote[]): FollowedPoll["votes"] {
  const votes = new Map(before);
  for (const { person, chosen } of changed) {
    votes.delete(person);
    votes.set(person, chosen);
  }
  return votes;
}

function toVote(vote: Api.TypeMessagePeerVote): Vote[] {
  if (vote instanceof Api.MessagePeerVoteInputOption) return [];
  const chosen = vote instanceof Api.MessagePeerVoteMultiple ? vote.options : [vote.option];
  return [{ person: markOfPeer(vote.peer), chosen: chosen.map((option) => option.toString("base64")), at: vote.date }];
}

export function packPoll({ chat, message, options, votes, event }: FollowedPoll): string {
  const stored: StoredPoll = [chat, message, options, [...votes].filter(([, chosen]) => chosen.length > 0).slice(-knownMax), event];
  return JSON.stringify(stored);
}

/** Returns `undefined` for a mark that this version cannot read. */
export function unpackPoll(mark: string | undefined): FollowedPoll | undefined {
  const stored = mark === undefined ? null : parsePoll(mark);
  if (stored === null) return undefined;
  const [chat, message, options, votes, event] = stored;
  return { chat, message, options, votes: new Map(votes), event };
}

type StoredPoll = [
  chat: string,
  message: number,
  options: readonly (readonly [id: string, text: string])[],
  votes: (readonly [person: string, chosen: readonly string[]])[],
  event: string,
];

const parsePoll = typia.json.createIsParse<StoredPoll>();
const optionsMax = 100;
/** The most that the platform lists at once. */
const votesMax = 100;
const knownMax = 500;
const deadlineMs = 5_000;
