import type { RefusalKind } from "./refusal.js";

/** How one connection of a platform ended, which decides what the session does next (`after-end.ts`). */
export type ConnectionEnd =
  /**
   * Try again after a pause, at least `waitMs`. `established`: it had stood for a while. `fault`: what an operator is to look at; without it this is one
   * of the losses that mend themselves. `refusal`: what the platform meant, where it refused the connection.
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
  /** The platform asks for another connection with the same credentials, after a login above all. */
  | { readonly kind: "restart" }
  /** Nobody took what was shown: new codes. */
  | { readonly kind: "codes-ended" }
  /** The login goes on elsewhere, and the connector knows where. What is shown stays true. */
  | { readonly kind: "migrate" }
  /** The owner asked for a new start. Said by the session itself, never by a connector. */
  | { readonly kind: "reset" }
  /** An operator asked for another connection with the same login. Said by the session itself. */
  | { readonly kind: "reconnect" };

/** What a connector may say of its connection. */
export type ToldEnd = Exclude<ConnectionEnd, { kind: "reset" | "reconnect" }>;
