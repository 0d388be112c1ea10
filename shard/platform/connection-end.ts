/** How a connection of any platform may end, which decides what comes next. A platform may know further ends. */
export type CommonEnd =
  /** Try again after a pause, at least `waitMs`. `established`: it had stood for a while. */
  | { readonly kind: "lost"; readonly established: boolean; readonly waitMs: number; readonly cause: unknown }
  /** The device is gone, or the account is: a new login. */
  | { readonly kind: "signed-out"; readonly cause: unknown }
  /** The owner asked for a new login. */
  | { readonly kind: "reset" };

/** Ends a connection from within, saying how. */
export class ConnectionEnd extends Error {
  override readonly name = "ConnectionEnd";

  constructor(readonly end: CommonEnd) {
    super(`connection ends: ${end.kind}`);
  }
}
