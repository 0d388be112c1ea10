import { findFacts } from "../../shared/contract/commands.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { Envelope } from "../../shared/bus/envelope.js";
import type { StreamEntry } from "../../shared/bus/stream-reader.js";
import type { ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import type { Log } from "../../shared/log/logger.js";
import { AbortScope } from "../../shared/flow/abort-scope.js";
import { TenantShares } from "../../shared/flow/tenant-shares.js";
import { planCancel, planEntry, type EntriesInFlight } from "./entry-plan.js";
import { InFlightCommands } from "./in-flight.js";
import type { Replies } from "./replies.js";
import { Task, type Effect } from "./task.js";

export interface IntakeOptions {
  /** Most commands that may be here at once. */
  places: () => number;
  /** The tenant that owns the session. */
  tenantOf: (session: string) => string;
  /** Whether sessions of several tenants live here. A single tenant may use all places. */
  isShared: () => boolean;
  replies: Pick<Replies, "bury" | "forget">;
  /** Runs a command to its outcome and never rejects. `admitted` is false when the session or tenant has used its share. */
  work: (task: Task, admitted: boolean) => Promise<void>;
  log: Log;
  timing?: ClusterTiming | undefined;
}

/** Takes entries from the command stream: begins, repeats and cancels commands. Tenants and sessions share its places. */
export class Intake {
  readonly inFlight: InFlightCommands;
  private readonly shares: TenantShares;
  private closed = false;

  constructor(private readonly options: IntakeOptions) {
    this.inFlight = new InFlightCommands(options.timing);
    this.shares = new TenantShares(options.places, options.isShared);
  }

  /** Without a free place the other entries stay in the stream, whose cap makes the router reject more. */
  get hasPlace(): boolean {
    return this.inFlight.size < this.options.places();
  }

  receive(entry: StreamEntry): void {
    const plan = planEntry(entry, (id) => this.entriesOf(id));
    switch (plan.kind) {
      case "cancel":
        this.cancel(plan.id);
        return this.options.replies.forget(entry.id);
      case "bury":
        this.options.log.error({ entry: entry.id }, "command envelope unreadable");
        return this.options.replies.bury(entry);
      case "ignore":
        return;
      case "follow":
        return this.follow(entry, plan);
      case "take":
        return this.take(entry.id, plan);
      default:
        return plan satisfies never;
    }
  }

  /** Takes no retries from now on: they stay in the stream, like unread entries. */
  close(): void {
    this.closed = true;
  }

  private entriesOf(id: CommandId): EntriesInFlight | undefined {
    const command = this.inFlight.get(id);
    return command && { entry: command.task.entry, following: command.following?.id };
  }

  private take(entry: string, { envelope, effect }: { envelope: Envelope; effect: Effect }): void {
    const end = new AbortScope();
    const task = new Task({ entry, envelope, facts: findFacts(envelope.platform, envelope.command), left: end, effect });
    const { session } = envelope;
    const tenant = this.options.tenantOf(session);
    // A command that may have begun elsewhere is never refused: a refusal says that nothing has begun.
    const admitted = effect !== "none" || (this.shares.sessionMayHaveMore(session) && this.shares.tenantMayHaveMore(tenant));
    const release = admitted ? this.shares.take({ session, tenant }) : undefined;
    const done = this.options.work(task, admitted).then(() => {
      release?.();
      this.ended(envelope.id);
    });
    this.inFlight.add({ task, end, done, following: undefined });
  }

  /** Runs the retry after this run: the reply may have gone out before the router sent the retry, which needs a reply of its own. */
  private follow(entry: StreamEntry, { id, instead }: { id: CommandId; instead: string | undefined }): void {
    const command = this.inFlight.get(id);
    if (instead !== undefined) this.options.replies.forget(instead);
    if (command !== undefined) command.following = entry;
  }

  private ended(id: CommandId): void {
    const following = this.inFlight.get(id)?.following;
    this.inFlight.remove(id);
    if (following !== undefined && !this.closed) this.receive(following);
  }

  private cancel(id: string): void {
    const command = this.inFlight.get(id);
    if (command === undefined) return;
    const { task, following } = command;
    const plan = planCancel(task.facts?.class, task.effect);
    if (plan === "go-on") return;
    task.leaveCaller(plan === "drop");
    command.end.abort();
    if (following !== undefined) this.options.replies.forget(following.id);
    command.following = undefined;
  }
}
