/** Slots of one life of a dead member that this process took over. */
export interface Takeover {
  /** Name of the dead member. */
  readonly member: string;
  readonly slots: number;
  readonly sessions: number;
}

/** A slot of a dead member. */
export interface TakenSlot {
  readonly slot: number;
  readonly dead: { readonly name: string; readonly incarnation: string };
}

/** Sums up the slots taken over from dead members until a run ends, so that each death is reported once. */
export class Takeovers {
  /** By member and incarnation; bounded by the deaths since the last run. */
  private readonly open = new Map<string, Takeover>();

  constructor(
    private readonly sessionsIn: (slots: ReadonlySet<number>) => number,
    private readonly onTakenOver: (takeover: Takeover) => void,
  ) {}

  /** Call when the sessions of the slots are loaded. */
  add(taken: readonly TakenSlot[]): void {
    const lives = new Map(taken.map(({ dead }) => [lifeOf(dead), dead.name]));
    for (const [life, member] of lives) {
      const more = new Set(taken.flatMap(({ slot, dead }) => (lifeOf(dead) === life ? [slot] : [])));
      const { slots, sessions } = this.open.get(life) ?? { slots: 0, sessions: 0 };
      this.open.set(life, { member, slots: slots + more.size, sessions: sessions + this.sessionsIn(more) });
    }
  }

  /** Reports the takeovers of the run that ended. */
  reportAll(): void {
    for (const takeover of this.open.values()) this.onTakenOver(takeover);
    this.open.clear();
  }
}

function lifeOf({ name, incarnation }: TakenSlot["dead"]): string {
  return `${name} ${incarnation}`;
}
