/**
 * Calls `report` for a subject at once, then at most once in `everyMs`; events in between are reported at the end. Holds only recent
 * subjects.
 */
export class Throttle<Subject> {
  private readonly resting = new Map<Subject, { readonly timer: NodeJS.Timeout; isDue: boolean }>();

  constructor(
    private readonly report: (subject: Subject) => void,
    private readonly everyMs = 1_000,
  ) {}

  happened(subject: Subject): void {
    const rest = this.resting.get(subject);
    if (rest !== undefined) {
      rest.isDue = true;
      return;
    }
    this.resting.set(subject, { timer: setTimeout(() => this.rested(subject), this.everyMs), isDue: false });
    this.report(subject);
  }

  /** Reports what is still due, then stops. */
  stop(): void {
    for (const [subject, { timer, isDue }] of this.resting) {
      clearTimeout(timer);
      if (isDue) this.report(subject);
    }
    this.resting.clear();
  }

  private rested(subject: Subject): void {
    const isDue = this.resting.get(subject)?.isDue === true;
    this.resting.delete(subject);
    if (isDue) this.happened(subject);
  }
}
