import type { WebhookBody } from "../../../shared/contract/telegram/webhook-body.js";

/** How a receiver treats one attempt. `reset` reads the event and closes the connection without a response. */
export type Behaviour = "ok" | "error" | "redirect" | "reset" | "hang";

/** One received request. */
export interface Arrival {
  readonly id: string;
  readonly body: WebhookBody;
  /** Digest of the body's bytes. */
  readonly sha256: string;
  readonly token: string;
  /** Unix milliseconds at which its headers were read. */
  readonly at: number;
  readonly behaviour: Behaviour;
  /** True if the sender had closed the connection before the response, so it counts the attempt as ended. */
  readonly brokenOff: boolean;
  /** The sender's port, which identifies the connection. */
  readonly port: number;
}

/** Returns true if the receiver sent 2xx while its sender was still connected. */
export function isAccepted({ behaviour, brokenOff }: Arrival): boolean {
  return behaviour === "ok" && !brokenOff;
}
