/** Slots of one life of a member that died, which now are this process's. */
export interface Takeover {
  /** The member that died. */
  readonly member: string;
  readonly slots: number;
  readonly sessions: number;
}

/** A slot that a member left when it died. */
export interface TakenSlot {
  readonly slot: number;
  readonly dead: { readonly name: string; readonly incarnation: string };
}

/** Adds up what is taken from members that died, slot by slot, until a run of takes is over: so there is one takeover of each death, however many slots it left. */
export class Takeovers {
  /** By member and incarnation; as many as died since the last run. */
  private readonly open = new Map<string, Takeover>();

  constructor(
    private readonly sessionsIn: (slots: ReadonlySet<number>) => number,
    private readonly onTakenOver: (takeover: Takeover) => void,
  ) {}

  /** To be called when their sessions are loaded. */
  add(taken: readonly TakenSlot[]): void {
    const lives = new Map(taken.map(({ dead }) => [lifeOf(dead), dead.name]));
    for (const [life, member] of lives) {
      const more = new Set(taken.flatMap(({ slot, dead }) => (lifeOf(dead) === life ? [slot] : [])));
      const { slots, sessions } = this.open.get(life) ?? { slots: 0, sessions: 0 };
      this.open.set(life, { member, slots: slots + more.size, sessions: sessions + this.sessionsIn(more) });
    }
  }

  /** The run is over. */
  tell(): void {
    for (const takeover of this.open.values()) this.onTakenOver(takeover);
    this.open.clear();
  }
}

function lifeOf({ name, incarnation }: TakenSlot["dead"]): string {
  return `${name} ${incarnation}`;
}
