import type { WebhookBody } from "../../../shared/contract/telegram/webhook-body.js";

/** What a receiver does with one attempt. `reset`: it took the event and closed the connection without an answer. */
export type Behaviour = "ok" | "error" | "redirect" | "reset" | "hang";

/** One request as it came. */
export interface Arrival {
  readonly id: string;
  readonly body: WebhookBody;
  /** Of the body's bytes. */
  readonly sha256: string;
  readonly token: string;
  /** When its head was read. Unix milliseconds. */
  readonly at: number;
  readonly behaviour: Behaviour;
  /** The sender had ended the connection before it could be answered: for its sender it is over, whenever it was read. */
  readonly brokenOff: boolean;
  /** The sender's port, which tells connections apart. */
  readonly port: number;
}

/** True when the receiver said 2xx while its sender was there to hear it. */
export function isAccepted({ behaviour, brokenOff }: Arrival): boolean {
  return behaviour === "ok" && !brokenOff;
}
