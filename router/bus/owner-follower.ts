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
  sender: Pick<CommandSender, "enqueue" | "isLocal">;
  /** Resolves after a check that Redis still has this router's reply stream. A command that must not run twice is resent only after it. */
  readReplies: () => Promise<void>;
  onRepeated: () => void;
  log: Log;
}

/** Owners are also checked at this interval, in case a notification was lost. */
const watchMs = 1_000;

/** Resends calls whose slot has changed owner since they were sent. Their entry may be in a stream that no shard reads any more. */
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
    const { at: previous } = pending.call;
    // The shard of this process always replies, and its reply says whether the command had begun.
    if (previous === undefined || this.options.sender.isLocal(previous)) return;
    const { envelope } = pending;
    const owner = await this.options.owners.owner(envelope.slot);
    if (owner !== undefined && pending.call.isOnce && owner.token !== previous.token) await this.options.readReplies();
    const { attempt } = pending.call;
    if (owner === undefined || outcomeOf(pending.call) !== undefined) return;
    // Earlier calls go first. This call follows at the next poll.
    if (this.options.order.before(pending, owner.token) !== undefined) return;
    pending.apply({ type: "owner-seen", owner, previous });
    if (outcomeOf(pending.call) !== undefined)
      this.options.log.warn({ command: envelope.command, id: envelope.id, requestId: envelope.requestId }, "command resend abandoned");
    else if (pending.call.attempt !== attempt) {
      const sent = await this.options.sender.enqueue(envelopeOfTry(pending), owner);
      if (typeof sent === "string") return;
      pending.apply({ type: "sent-again", ...sent });
      this.options.onRepeated();
    }
  }
}
