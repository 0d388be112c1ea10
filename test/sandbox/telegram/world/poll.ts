/** A poll that all its messages share. Plain data: the snapshot stores it unchanged. */
export interface StoredPoll {
  readonly id: number;
  readonly question: string;
  /** Texts of the options, with their ids in a vote (base64). */
  readonly answers: readonly { readonly text: string; readonly option: string }[];
  readonly multiple: boolean;
  readonly publicVoters: boolean;
  /** Index of a quiz's correct option. */
  readonly correct?: number;
  closed: boolean;
  /** Votes as option indexes by user id, oldest first. */
  votes: readonly (readonly [userId: number, answers: readonly number[]])[];
}

const firstId = 8_000_000_000_001;
/** The oldest poll is evicted; its messages are then empty. */
const keptPolls = 2_000;
/** Votes per poll; further ones are not counted. */
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

/** An empty list withdraws the vote. */
export function vote(poll: StoredPoll, userId: number, answers: readonly number[]): void {
  const others = poll.votes.filter(([voter]) => voter !== userId);
  if (answers.length === 0 || others.length >= maxVotes) poll.votes = others;
  else poll.votes = [...others, [userId, answers]];
}
