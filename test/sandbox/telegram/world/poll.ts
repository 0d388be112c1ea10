/** A poll, which all its messages share. Plain data: it is written to the snapshot as it is. */
export interface StoredPoll {
  readonly id: number;
  readonly question: string;
  /** Texts of the answers, with what names each in a vote, base64. */
  readonly answers: readonly { readonly text: string; readonly option: string }[];
  readonly multiple: boolean;
  readonly publicVoters: boolean;
  /** Of a quiz, by its place among the answers. */
  readonly correct?: number;
  closed: boolean;
  /** Who chose which answers, by their places, oldest first. */
  votes: readonly (readonly [userId: number, answers: readonly number[]])[];
}

const firstId = 8_000_000_000_001;
/** The oldest goes; its messages are then empty. */
const keptPolls = 2_000;
/** Of one poll; who comes later is not counted. */
const maxVotes = 10_000;

export class PollBook {
  private readonly byId = new Map<number, StoredPoll>();
  private nextId = firstId;

  add(poll: Omit<StoredPoll, "id" | "closed" | "votes">): StoredPoll {
    const added: StoredPoll = { ...poll, id: this.nextId, closed: false, votes: [] };
    this.restore(added);
    return added;
  }

  restore(poll: StoredPoll): void {
    this.byId.set(poll.id, poll);
    this.nextId = Math.max(this.nextId, poll.id + 1);
    if (this.byId.size > keptPolls) this.byId.delete(this.byId.keys().next().value ?? 0);
  }

  get(id: number): StoredPoll | undefined {
    return this.byId.get(id);
  }

  all(): Iterable<StoredPoll> {
    return this.byId.values();
  }
}

/** No answers take the vote back. */
export function vote(poll: StoredPoll, userId: number, answers: readonly number[]): void {
  const others = poll.votes.filter(([voter]) => voter !== userId);
  if (answers.length === 0 || others.length >= maxVotes) poll.votes = others;
  else poll.votes = [...others, [userId, answers]];
}
