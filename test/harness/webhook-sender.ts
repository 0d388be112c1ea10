import { defaultTenant } from "../../shared/contract/tenant.js";
import { silentLog } from "../../shared/log/logger.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import type { SessionOutbox } from "../../shard/session/store/session-outbox.js";
import type { SessionUpdates } from "../../shard/session/store/session-updates.js";
import type { Courier } from "../../shard/webhook/courier.js";
import type { Delivery } from "../../shard/webhook/delivery.js";
import { eventually } from "./eventually.js";
import { ownedSession, type OwnedSession } from "./owned-session.js";

export const testToken = "secret-token";

/** One session with its outbox and its delivery, as the owning shard has them. */
export class WebhookSender {
  owned = true;
  fenced = 0;
  /** Counts of the events for operators. */
  readonly counts = { delivered: 0, failed: 0, dead: 0, replayed: 0 };
  readonly updates: SessionUpdates;
  readonly outbox: SessionOutbox;
  readonly delivery: Delivery;
  private count = 0;

  constructor(
    readonly session: OwnedSession,
    on: Courier,
  ) {
    this.updates = session.writer.updates(session);
    this.outbox = session.writer.outbox(session);
    this.delivery = on.open({
      tenant: defaultTenant,
      outbox: this.outbox,
      fence: { holds: () => this.owned },
      onFenced: () => void this.fenced++,
      onUnreadable: () => undefined,
      onOutcome: (outcome, events) => void (this.counts[outcome] += events),
      log: silentLog,
    });
  }

  static async start(redis: RedisClient, on: Courier): Promise<WebhookSender> {
    return new WebhookSender(await ownedSession(redis), on);
  }

  set(url: string, key = url === "" ? "" : testToken): Promise<void> {
    return this.delivery.set({ url, token: key }, AbortSignal.timeout(5_000));
  }

  /** Appends events and returns their ids. */
  async emit(events = 1): Promise<string[]> {
    const ids = Array.from({ length: events }, () => `e${String(this.count++).padStart(5, "0")}`);
    const created = new Date().toISOString();
    const { overflowed } = await this.updates.advance({
      cursor: "c",
      events: ids.map((id) => ({ id, type: "message.new", created, data: { text: `text of ${id} ✓` } })),
      messages: new Map(),
    });
    this.delivery.appended(overflowed);
    return ids;
  }

  async emptied(): Promise<void> {
    await eventually("an empty outbox", async () => (await this.outbox.length()) === 0);
  }
}
