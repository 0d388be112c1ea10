/** Slots of one script: as many as Redis does within a few milliseconds, and fewer while answers do not come in time, because Redis is slow or this process is. */
const most = 512;
const least = 32;

export class BatchSize {
  private size = most;

  get now(): number {
    return this.size;
  }

  /** Asks with a batch of that size: twice as many the next time, or half as many when it rejects. */
  async tried<T>(ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.size = Math.min(most, this.size * 2);
      return answer;
    } catch (error) {
      this.size = Math.max(least, this.size / 2);
      throw error;
    }
  }
}
