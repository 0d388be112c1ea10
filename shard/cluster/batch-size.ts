/** Slots of one script: few enough that Redis needs some milliseconds, and fewer while responses are late. */
const most = 512;
const least = 32;

export class BatchSize {
  private size = most;

  get now(): number {
    return this.size;
  }

  /** Runs `ask` with the batch size; doubles the size after a success and halves it after a rejection. */
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
