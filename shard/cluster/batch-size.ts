/** Slots of one script: few enough that Redis needs some milliseconds, and fewer while responses are late. */
const most = 512;
const least = 32;

export class BatchSize {
  private size = most;

  get now(): number {
    return this.size;
  }

  /** Runs `call` with the batch size; doubles the size after a success and halves it after a rejection. */
  async tried<T>(call: () => Promise<T>): Promise<T> {
    try {
      const result = await call();
      this.size = Math.min(most, this.size * 2);
      return result;
    } catch (error) {
      this.size = Math.max(least, this.size / 2);
      throw error;
    }
  }
}
