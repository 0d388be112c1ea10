import typia from "typia";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
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
  readonly isConnected: () => boolean;
  readonly log: Log;
}

/**
 * Messages that could not be decrypted. Their senders or the account's phone are requested to send them again; those that have not arrived
 * after `waitMs` are reported without content. The list is stored, so the next owner of the session reports the rest.
 */
export class UnreadableMessages {
  private waiting: ReadonlyMap<string, Waiting> = new Map();
  /** Changes of the list. An entry leaves the memory only with the stored list, so that a failure loses none. */
  private readonly changing = new SerialQueue();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  /** The platform may hold messages that arrived during an absence, so the first due time after one is postponed. */
  private wasAway = true;

  constructor(private readonly options: UnreadableMessagesOptions) {}

  /** True while no message waits, which is nearly always. */
  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

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
    await this.changing.run(async () => {
      if (this.waiting.has(id)) return;
      const next = new Map(this.waiting);
      const [oldest] = next;
      const evicted = next.size >= most && oldest !== undefined ? oldest : undefined;
      if (evicted !== undefined) next.delete(evicted[0]);
      next.set(id, { stanza, dueAt: Date.now() + this.options.waitMs });
      await this.replace(next, evicted === undefined ? [] : await this.options.report(evicted[1].stanza));
    });
  }

  /** Called when the message has arrived and its event is stored. A failure only leaves the entry in the list: its event exists. */
  async arrived(stanza: IncomingStanza): Promise<void> {
    const id = this.options.idOf(stanza);
    if (!this.waiting.has(id)) return;
    await this.changing
      .run(async () => {
        const next = new Map(this.waiting);
        if (next.delete(id)) await this.replace(next, []);
      })
      .catch((error: unknown) => this.options.log.warn({ err: error }, "unreadable message not removed"));
  }

  clear(): void {
    this.waiting = new Map();
    this.schedule();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private schedule(leastMs = 0): void {
    clearTimeout(this.timer);
    const [first] = this.waiting.values();
    if (first === undefined || this.stopped) return;
    this.timer = setTimeout(() => void this.reportDue(), Math.max(leastMs, first.dueAt - Date.now()));
    this.timer.unref();
  }

  private async reportDue(): Promise<void> {
    const isAway = !this.options.isConnected();
    const isPostponed = isAway || this.wasAway;
    this.wasAway = isAway;
    if (isPostponed) {
      this.schedule(Math.min(retryMs, this.options.waitMs));
      return;
    }
    try {
      await this.changing.run(async () => {
        const next = new Map(this.waiting);
        const events: UpdateEvent[] = [];
        for (const [id, { stanza, dueAt }] of this.waiting) {
          if (dueAt > Date.now()) continue;
          next.delete(id);
          events.push(...(await this.options.report(stanza)));
        }
        await this.replace(next, events);
      });
    } catch (error) {
      // The next owner reads the stored list, which still contains them.
      this.options.log.warn({ err: error }, "unreadable messages not reported");
      this.schedule(retryMs);
    }
  }

  private async replace(next: ReadonlyMap<string, Waiting>, events: readonly UpdateEvent[]): Promise<void> {
    const list = [...next.values()];
    const value = list.length === 0 ? undefined : Buffer.from(JSON.stringify(list));
    await this.options.secrets.apply(new Map([[field, value]]), events);
    this.waiting = next;
    this.schedule();
  }
}

const field = "unreadable-messages";
/** Most messages that wait: more arrive only when a session's keys are lost. */
const most = 100;
const retryMs = 30_000;
const parse = typia.json.createIsParse<Waiting[]>();
