/** The part of a session's map that its pace uses. */
export interface PaceStore {
  get(name: string): Promise<string | undefined>;
  /** Durable before it resolves. */
  setMany(entries: ReadonlyMap<string, string>): Promise<void>;
}
