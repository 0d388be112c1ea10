import typia from "typia";
import type { Log } from "../../../shared/log/logger.js";
import type { SecretMap, UpdateEvent } from "../../session/session-context.js";
import type { IncomingStanza } from "./incoming-stanza.js";

interface Waiting {
  readonly stanza: IncomingStanza;
  /** Unix milliseconds. */
  readonly dueAt: number;
}

export interface UnreadableMessagesOptions {
  readonly secrets: Pick<SecretMap, "getMany" | "apply">;
  readonly idOf: (stanza: IncomingStanza) => string;
  /** Returns the event that reports a message without its content. */
  readonly report: (stanza: IncomingStanza) => Promise<UpdateEvent[]>;
  readonly waitMs: number;
  readonly log: Log;
}

/**
 * Messages that could not be decrypted. Their senders or the account's phone are requested to send them again; those that have not arrived
 * after `waitMs` are reported without content. The list is stored, so the next owner of the session reports the rest.
 */
export class UnreadableMessages {
  private waiting = new Map<string, Waiting>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(private readonly options: UnreadableMessagesOptions) {}

  async load(): Promise<void> {
    const [stored] = await this.options.secrets.getMany([field]);
    const list = stored === undefined ? [] : (parse(stored.toString()) ?? []);
    // The clock of the former owner may have been wrong.
    const latest = Date.now() + this.options.waitMs;
    this.waiting = new Map(list.map((one) => [this.options.idOf(one.stanza), { ...one, dueAt: Math.min(one.dueAt, latest) }]));
    this.schedule();
  }

  /** Durable before it resolves. When the list is full, the oldest message is reported at once. */
  async add(stanza: IncomingStanza): Promise<void> {
    const id = this.options.idOf(stanza);
    if (this.waiting.has(id)) return;
    const [oldest] = this.waiting;
    const events = this.waiting.size >= most && oldest !== undefined ? await this.take(oldest) : [];
    this.waiting.set(id, { stanza, dueAt: Date.now() + this.options.waitMs });
    try {
      await this.store(events);
    } catch (error) {
      // Delivered again, the message must be stored again.
      this.waiting.delete(id);
      throw error;
    } finally {
      this.schedule();
    }
  }

  /** Called when the message has arrived. It may have no event, so the next owner must not find it in the stored list. */
  arrived(stanza: IncomingStanza): void {
    if (this.waiting.size === 0 || !this.waiting.delete(this.options.idOf(stanza))) return;
    this.store([]).catch((error: unknown) => this.options.log.warn({ err: error }, "unreadable messages not stored"));
  }

  clear(): void {
    this.waiting.clear();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (this.waiting.size === 0 || this.stopped) return;
    const dueAt = Math.min(...[...this.waiting.values()].map((one) => one.dueAt));
    this.timer = setTimeout(() => void this.reportDue(), Math.max(0, dueAt - Date.now()));
    this.timer.unref();
  }

  private async reportDue(): Promise<void> {
    const due = [...this.waiting].filter(([, { dueAt }]) => dueAt <= Date.now());
    try {
      const events: UpdateEvent[] = [];
      for (const one of due) events.push(...(await this.take(one)));
      if (due.length > 0) await this.store(events);
    } catch (error) {
      // The next owner reads the stored list, which still contains them.
      for (const [id, one] of due) this.waiting.set(id, { ...one, dueAt: Date.now() + retryMs });
      this.options.log.warn({ err: error }, "unreadable messages not reported");
    }
    this.schedule();
  }

  private async take([id, { stanza }]: readonly [string, Waiting]): Promise<UpdateEvent[]> {
    this.waiting.delete(id);
    return await this.options.report(stanza);
  }

  private async store(events: readonly UpdateEvent[]): Promise<void> {
    const list = [...this.waiting.values()];
    const value = list.length === 0 ? undefined : Buffer.from(JSON.stringify(list));
    await this.options.secrets.apply(new Map([[field, value]]), events);
  }
}

const field = "unreadable-messages";
/** Most messages that wait: more arrive only when a session's keys are lost. */
const most = 100;
const retryMs = 30_000;
const parse = typia.json.createIsParse<Waiting[]>();
