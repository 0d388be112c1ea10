import { Poll } from "../../shared/flow/poll.js";
import type { Log } from "../../shared/log/logger.js";
import { outcomeOf } from "./call.js";
import type { CommandSender } from "./command-sender.js";
import type { OwnerPort } from "./owner-port.js";
import type { Pending, PendingCall } from "./pending.js";
import type { SendOrder } from "./send-order.js";
import { envelopeOfTry } from "./try-envelope.js";

export interface OwnerFollowerOptions {
  pending: Pending;
  owners: Pick<OwnerPort, "owner" | "onChange" | "offChange">;
  order: Pick<SendOrder, "before">;
  sender: Pick<CommandSender, "enqueue">;
  /** Resolves when it is known whether Redis still has this router's stream of replies: what may not run twice is not sent again before. */
  looked: () => Promise<void>;
  onRepeated: () => void;
  log: Log;
}

/** The same is looked after without a word of a change. */
const watchMs = 1_000;

/** Sends calls again whose slot has changed hands since they were sent: their entry may sit in a stream that nobody reads any more. */
export class OwnerFollower {
  private readonly poll = new Poll(watchMs, () => this.follow());
  private readonly onChange = (): void => void this.poll.now();

  constructor(private readonly options: OwnerFollowerOptions) {}

  start(): void {
    this.poll.start();
    this.options.owners.onChange(this.onChange);
  }

  async stop(): Promise<void> {
    this.options.owners.offChange(this.onChange);
    await this.poll.stop();
  }

  /** Never rejects. */
  private async follow(): Promise<void> {
    try {
      for (const pending of this.options.pending.all()) await this.followOne(pending);
    } catch (error) {
      this.options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "command resend failed, retrying");
    }
  }

  private async followOne(pending: PendingCall): Promise<void> {
    const { at: asked } = pending.call;
    if (asked === undefined) return;
    const { envelope } = pending;
    const owner = await this.options.owners.owner(envelope.slot);
    if (owner !== undefined && pending.call.isOnce && owner.token !== asked.token) await this.options.looked();
    const { attempt } = pending.call;
    if (owner === undefined || outcomeOf(pending.call) !== undefined) return;
    // Those before it go first: it follows at the next look.
    if (this.options.order.before(pending, owner.token) !== undefined) return;
    pending.apply({ type: "owner-seen", owner, asked });
    if (outcomeOf(pending.call) !== undefined)
      this.options.log.error({ command: envelope.command, id: envelope.id, requestId: envelope.requestId }, "command resend abandoned");
    else if (pending.call.attempt !== attempt) {
      const sent = await this.options.sender.enqueue(envelopeOfTry(pending), owner);
      if (typeof sent === "string") return;
      pending.apply({ type: "sent-again", ...sent });
      this.options.onRepeated();
    }
  }
}
