import typia from "typia";
import type { CommandFacts, NewSession } from "../../shared/contract/command-row.js";
import { internal, sessionNotActive, sessionNotConnected, sessionNotDeleted, sessionNotFound } from "../../shared/contract/errors.js";
import { isTenantName } from "../../shared/contract/tenant.js";
import { defaultClusterTiming, type ClusterTiming } from "../../shared/cluster/cluster-timing.js";
import type { CommandHead } from "../../shared/bus/envelope.js";
import { retryWhile } from "../redis/retry.js";
import { AbortScope, untilAborted } from "../../shared/flow/abort-scope.js";
import type { Ending } from "../../shared/flow/ending.js";
import type { Host } from "../cluster/host.js";
import type { Session } from "../session/session.js";
import { refusedWaitMs } from "./command-log.js";

/** The session of a command: found, created or taken out of the trash as the command's row says, and connected if it must be. */
export class SessionFinder {
  constructor(
    private readonly host: Pick<Host, "get" | "create" | "undelete" | "prioritize">,
    private readonly timing: Pick<ClusterTiming, "connectWaitMs"> = defaultClusterTiming,
  ) {}

  async find(envelope: CommandHead, facts: CommandFacts, input: unknown, signal: Ending): Promise<Session> {
    if (facts.session === "creates") await this.create(envelope, input, signal);
    if (facts.session === "undeletes") await this.undelete(envelope);
    const live = this.host.get(envelope.platform, envelope.session);
    if (live === undefined) throw sessionNotFound();
    if (!facts.needsConnection || isConnected(live)) return live;
    await this.connectEnded(live, signal);
    if (live.signal.aborted) throw sessionNotActive();
    if (!isConnected(live)) throw sessionNotConnected();
    return live;
  }

  /** The live session that a command must wait for, because it needs a connection that is not there. */
  unconnected(envelope: CommandHead, facts: CommandFacts): Session | undefined {
    const live = this.host.get(envelope.platform, envelope.session);
    return live === undefined || !facts.needsConnection || isConnected(live) ? undefined : live;
  }

  /** After a takeover the first connect is under way: the command waits for it, and its session goes first. */
  async connectEnded(live: Session, signal: Ending): Promise<void> {
    live.retryNow();
    this.host.prioritize(live.id);
    const wait = new AbortScope([signal], this.timing.connectWaitMs);
    await untilAborted(live.connectEnded, wait)
      .catch(() => signal.throwIfAborted())
      .finally(() => wait.close());
  }

  /** Idempotent: the same id and secret are the same session. */
  private async create({ platform, session }: CommandHead, input: unknown, signal: Ending): Promise<void> {
    if (!isNewSession(input)) throw internal(new Error("input of a command does not fit the contract"));
    const endsAt = performance.now() + refusedWaitMs;
    const create = (): Promise<"created" | "taken"> => this.host.create(platform, session, input);
    if ((await retryWhile(create, () => !signal.aborted && performance.now() < endsAt)) === "taken")
      throw internal(new Error("session id is taken"));
  }

  private async undelete({ session, id }: CommandHead): Promise<void> {
    const outcome = await this.host.undelete(session, id);
    if (outcome === "none") throw sessionNotFound();
    if (outcome === "lives") throw sessionNotDeleted();
  }
}

export function isConnected(live: Session): boolean {
  return live.state().kind === "connected" && !live.isLeaving;
}

/** It was connected, and will be again. */
export function isDisconnected(live: Session): boolean {
  return live.state().kind === "disconnected" || live.isLeaving;
}

function isNewSession(input: unknown): input is NewSession {
  return hasShape(input) && isTenantName(input.tenant);
}

const hasShape = typia.createIs<NewSession>();
