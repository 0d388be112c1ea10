import type { RefusalKind } from "./refusal.js";

/** How one connection of a platform ended, which decides what the session does next (`after-end.ts`). */
export type ConnectionEnd =
  /**
   * Retry after at least `waitMs`. `established`: the connection had lasted a while. `fault`: a problem for an operator. `refusal`: the
   * platform's reason for rejecting it.
   */
  | {
      readonly kind: "lost";
      readonly established: boolean;
      readonly waitMs: number;
      readonly cause: unknown;
      readonly fault?: string;
      readonly refusal?: RefusalKind;
    }
  /** The device is gone, or the account is: a new login. */
  | { readonly kind: "signed-out"; readonly cause: unknown; readonly fault?: string; readonly refusal?: RefusalKind }
  /** The platform requests another connection with the same credentials, usually after a login. */
  | { readonly kind: "restart" }
  /** No code was scanned: new codes are needed. */
  | { readonly kind: "codes-ended" }
  /** The login goes on elsewhere, and the connector knows where. What is shown stays true. */
  | { readonly kind: "migrate" }
  /** The owner requested a new start. Set by the session itself, never by a connector. */
  | { readonly kind: "reset" }
  /** An operator requested another connection with the same login. Set by the session itself. */
  | { readonly kind: "reconnect" };

/** What a connector may say of its connection. */
export type ReportedEnd = Exclude<ConnectionEnd, { kind: "reset" | "reconnect" }>;
