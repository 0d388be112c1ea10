/** Whether callers wait for a connect. */
type State =
  /** They wait, without a limit until the session is admitted. */
  | { readonly kind: "unlimited"; readonly end: () => void }
  /** They wait until the timer fires at the latest. */
  | { readonly kind: "limited"; readonly end: () => void; readonly timer: NodeJS.Timeout }
  /** The connect had an outcome, or took too long. */
  | { readonly kind: "over" };

/** The wait of callers for the outcome of a session's next connect. Begins at once. */
export class ConnectWait {
  private state: State = { kind: "over" };
  private current: Promise<void> = Promise.resolve();

  constructor() {
    this.begin();
  }

  /** Resolves when the connect has succeeded or failed, or took too long. */
  get ended(): Promise<void> {
    return this.current;
  }

  /** Starts a wait for another connect, without a limit. Callers that still wait for the previous one wait for this one. */
  begin(): void {
    const { state } = this;
    switch (state.kind) {
      case "unlimited":
        return;
      case "limited":
        clearTimeout(state.timer);
        this.state = { kind: "unlimited", end: state.end };
        return;
      case "over":
        this.current = new Promise((resolve) => (this.state = { kind: "unlimited", end: resolve }));
        return;
      default:
        state satisfies never;
    }
  }

  /** Ends the wait after `ms`. Only the first limit of a wait counts. */
  limit(ms: number): void {
    const { state } = this;
    if (state.kind !== "unlimited") return;
    this.state = { ...state, kind: "limited", timer: setTimeout(() => this.end(), ms).unref() };
  }

  /** Ends the wait. Idempotent. */
  end(): void {
    const { state } = this;
    if (state.kind === "over") return;
    if (state.kind === "limited") clearTimeout(state.timer);
    this.state = { kind: "over" };
    state.end();
  }
}
