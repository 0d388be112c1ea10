import {
  NewChatMessageCappingStatusType,
  ReachoutTimelockEnforcementType,
  type NewChatMessageCapInfo,
  type ReachoutTimelockState,
} from "@whiskeysockets/baileys";
import { endsWithin } from "../../shared/flow/ends-within.js";
import type { Log } from "../../shared/log/logger.js";
import type { RestrictionReport } from "../session/health/health-plan.js";
import type { SessionHealth } from "../session/health/session-health.js";
import type { Client } from "./client.js";

/** The platform refused a first message and did not say for how long. Restrictions of new accounts last a day or more. */
const unnamedMs = 24 * 3_600_000;
/** A caller waits this long for the platform's response about the account. */
const answerMs = 5_000;
/** The platform is queried at most this often, except after a refusal. */
const freshMs = 30_000;

/** Follows what the platform lets the account do: locks of new chats, and the cap on their number. */
export class AccountStanding {
  private askedAt = -Infinity;

  constructor(
    private readonly health: SessionHealth,
    private readonly log: Log,
  ) {}

  /** The platform returned or announced whether it locks new chats. */
  async learnLock({ isActive, timeEnforcementEnds, enforcementType }: ReachoutTimelockState): Promise<void> {
    if (isActive === true) await this.health.restrict(lockReport(enforcementType, timeEnforcementEnds));
    else await this.health.lift(["lock", "refusal"]);
  }

  /** The platform returned or announced how many new chats the account has begun. */
  async learnCap(info: NewChatMessageCapInfo): Promise<void> {
    const { total_quota: cap, used_quota: used, cycle_end_timestamp: end, capping_status: status } = info;
    const resets = instantOf(end);
    if (isCount(cap) && isCount(used)) await this.health.learnNewChats({ used, cap, resets: resets?.toISOString() ?? "" });
    if (status === NewChatMessageCappingStatusType.CAPPED)
      await this.health.restrict({ cause: "cap", reason: capReason, until: resets ?? unnamedEnd() });
    else await this.health.lift(["cap"]);
  }

  /** Queries the platform, within a bounded time and not too often. Never rejects. */
  async refresh(client: Client): Promise<void> {
    if (performance.now() - this.askedAt < freshMs) return;
    await this.ask(client);
  }

  /**
   * Called when the platform refused a message because the account is restricted (463). Resolves when the platform has said for how long,
   * in a bounded time. Without a response, the account counts as restricted for a day. Never rejects.
   */
  async refused(client: Client | undefined): Promise<void> {
    if (client !== undefined && (await this.ask(client))) return;
    await this.health.restrict({ cause: "refusal", reason: "WhatsApp refused a first message (463)", until: unnamedEnd() });
  }

  /** Returns true if the platform returned whether it locks new chats. */
  private async ask(client: Client): Promise<boolean> {
    this.askedAt = performance.now();
    const lock = client.runQuery(() => client.sock.fetchAccountReachoutTimelock()).then((state) => this.learnLock(state));
    const cap = client.runQuery(() => client.sock.fetchNewChatMessageCap()).then((info) => this.learnCap(info));
    // Many accounts have no cap, and the platform then returns an error.
    cap.catch((error: unknown) => this.log.debug({ err: error }, "cap on new chats not read"));
    const settled = Promise.allSettled([lock, cap]);
    const isInTime = await endsWithin(settled, answerMs);
    if (!isInTime) return false;
    const [answer] = await settled;
    if (answer.status === "rejected") this.log.info({ err: answer.reason }, "lock of new chats not read");
    return answer.status === "fulfilled";
  }
}

const capReason = "the number of new chats that WhatsApp allows is used up";

/** The platform names the kind of an enforcement, which may be one that the library does not know. `DEFAULT` says nothing. */
function lockReport(kind: ReachoutTimelockState["enforcementType"], ends: Date | undefined): RestrictionReport {
  const isNamed = kind !== undefined && kind !== ReachoutTimelockEnforcementType.DEFAULT && /^[A-Z_]{1,60}$/.test(kind);
  const until = ends === undefined || Number.isNaN(ends.getTime()) ? unnamedEnd() : ends;
  return { cause: "lock", reason: `WhatsApp locked new chats${isNamed ? ` (${kind})` : ""}`, until };
}

function unnamedEnd(): Date {
  return new Date(Date.now() + unnamedMs);
}

/** The platform names times in seconds, as text. */
function instantOf(seconds: string | undefined): Date | undefined {
  const at = new Date(Number(seconds ?? Number.NaN) * 1_000);
  return Number.isNaN(at.getTime()) || at.getTime() <= 0 ? undefined : at;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
