/** Finds the messages of a chat that were not printed yet. */
export class NewMessages<Row extends { readonly id: string }> {
  private known = new Set<string>();
  private readonly sent = new Set<string>();

  /** Leaves out a message that this terminal sent, because its text is there already. */
  leaveOut(id: string): void {
    this.sent.add(id);
  }

  /** Returns the messages of a newest page that are newer than all known ones, oldest first. */
  of(page: readonly Row[]): Row[] {
    const end = page.findIndex(({ id }) => this.known.has(id));
    const fresh = end < 0 ? page : page.slice(0, end);
    // Later pages reach back no further than this one.
    this.known = new Set(page.map(({ id }) => id));
    return fresh.filter(({ id }) => !this.sent.delete(id)).reverse();
  }
}
