/** What our own waits need of an `AbortSignal`: such a signal, or an `AbortScope`. */
export interface Ending {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once: true }): void;
  removeEventListener(type: "abort", listener: () => void): void;
  throwIfAborted(): void;
}
