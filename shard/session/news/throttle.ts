/**
 * Reports a subject at once, then at most once per `everyMs`: events in between are reported when the interval ends. Holds only subjects
 * whose interval runs.
 */
export class Throttle<Subject> {
  private readonly resting = new Map<Subject, { readonly timer: NodeJS.Timeout; again: boolean }>();

  constructor(
    private readonly tell: (subject: Subject) => void,
    private readonly everyMs = 1_000,
  ) {}

  happened(subject: Subject): void {
    const rest = this.resting.get(subject);
    if (rest !== undefined) {
      rest.again = true;
      return;
    }
    this.resting.set(subject, { timer: setTimeout(() => this.rested(subject), this.everyMs), again: false });
    this.tell(subject);
  }

  /** Reports the pending subjects now. */
  stop(): void {
    for (const [subject, { timer, again }] of this.resting) {
      clearTimeout(timer);
      if (again) this.tell(subject);
    }
    this.resting.clear();
  }

  private rested(subject: Subject): void {
    const again = this.resting.get(subject)?.again === true;
    this.resting.delete(subject);
    if (again) this.happened(subject);
  }
}
