/** The part of an `AbortSignal` that our own waits need: an `AbortSignal` or an `AbortScope`. */
export interface Ending {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once: true }): void;
  removeEventListener(type: "abort", listener: () => void): void;
  throwIfAborted(): void;
}
