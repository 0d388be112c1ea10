import { tooManyRequests } from "../../../shared/contract/errors.js";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import { Notifier } from "../../flow/notifier.js";
import { recentCache } from "../../flow/recent-cache.js";
import { exchanged, atMostBurst, used, waitMs, type Rate } from "./rate.js";
import type { PaceRates } from "./pace-rates.js";
import { parsePace } from "./stored-pace.js";

/** A session's map, as far as its pace uses it. */
export interface PaceStore {
  get(name: string): Promise<string | undefined>;
  /** Durable before it resolves. */
  setMany(entries: ReadonlyMap<string, string>): Promise<void>;
}

export interface SessionPaceOptions {
  /** As they are now: they may be others the next time. */
  readonly rates: () => PaceRates;
  /** Where it is kept, so that it moves with the session. */
  readonly peers: PaceStore;
  readonly onRefused: () => void;
  /** Monotonic milliseconds: a clock that is set does not change how long a send waits. */
  readonly nowMs?: () => number;
}

/** Somebody whom a message goes to. `isKnown`: whether the platform's part knows that the account has exchanged messages with them. */
export interface Contact {
  /** Unlike that of anybody else on the platform. */
  readonly id: string;
  readonly isKnown: () => Promise<boolean>;
}

/** What is about to go out. `isRepeat`: an earlier owner may have sent it, so it must not be refused. */
export interface PacedSend {
  readonly id: string;
  readonly isRepeat?: boolean | undefined;
}

/** A command may go on to the platform; until `end` it counts, whether it gets there or not. */
export interface Turn {
  end(): void;
}

const countedMax = 16;
const metMax = 1_000;
/** Its name in the session's map; no name of a chat looks like it. */
const field = "pace";

/**
 * How fast one session may send, where that is bounded at the time. A message takes a turn before it begins, and is counted once it is about to go out; so what fails before costs nothing. What was counted is stored
 * before the message leaves: neither a kill nor a move makes room for more, and a repeat is not counted again.
 */
export class SessionPace {
  /** By which the instants below are what they are. */
  private rated: PaceRates;
  private readonly turns = new Set<string>();
  private readonly freed = new Notifier();
  /** Made where it is needed: most sessions of a deployment without a pace never do. */
  private metCache: ReturnType<typeof recentCache<"met">> | undefined;
  private readonly writes = new SerialQueue();
  private readonly nowMs: () => number;
  private reading: Promise<void> | undefined;
  /** Monotonic milliseconds. */
  private sendsUntil = -Infinity;
  private newContactsUntil = -Infinity;
  private counted: string[] = [];

  constructor(private readonly options: SessionPaceOptions) {
    this.rated = options.rates();
    this.nowMs = options.nowMs ?? (() => performance.now());
  }

  get isOn(): boolean {
    const { sends, newContacts } = this.options.rates();
    return sends !== undefined || newContacts !== undefined;
  }

  get boundsNewContacts(): boolean {
    return this.options.rates().newContacts !== undefined;
  }

  /** Reads what its former owner stored, once. */
  async ready(): Promise<void> {
    this.reading ??= this.read().catch((error: unknown) => {
      this.reading = undefined;
      throw error;
    });
    await this.reading;
  }

  /** How long a message waits before which `ahead` others wait. */
  waitMs(ahead = 0): number {
    const { sends } = this.current();
    return sends === undefined ? 0 : waitMs(sends, this.sendsUntil, this.nowMs(), ahead + this.turns.size);
  }

  /** Aborts when a turn was given back unused, and when the rates are others. */
  nextFreed(): AbortSignal {
    return this.freed.next();
  }

  /** The rates are others: who waits looks again. */
  changed(): void {
    this.freed.notify();
  }

  takeTurn(id: string): Turn {
    this.turns.add(id);
    return {
      end: () => {
        if (this.turns.delete(id)) this.freed.notify();
      },
    };
  }

  /**
   * Counts a message that is about to go out, and resolves when that is stored. `contactOf` has nobody for what goes to a group or channel. Rejects with 429 where it would be one new contact too many: that is
   * not waited for, since what is behind it in the session's lane may be answers to people who wait.
   */
  async count({ id, isRepeat }: PacedSend, contactOf: () => Contact | undefined): Promise<void> {
    if (!this.isOn) return;
    const contact = contactOf();
    await this.ready();
    if (this.counted.includes(id)) return;
    const met = contact === undefined ? undefined : contactField(contact.id);
    const isNew = this.boundsNewContacts && contact !== undefined && !(await this.isMet(contact));
    const { sends, newContacts } = this.current();
    const now = this.nowMs();
    // Another message to them may have been counted while that was looked up.
    if (isNew && newContacts !== undefined && met !== undefined && !this.met.has(met)) {
      const tooSoonMs = waitMs(newContacts, this.newContactsUntil, now);
      if (tooSoonMs > 0 && isRepeat !== true) {
        this.options.onRefused();
        throw tooManyRequests(tooSoonMs);
      }
      this.newContactsUntil = used(newContacts, this.newContactsUntil, now);
    }
    if (sends !== undefined) {
      const until = used(sends, this.sendsUntil, now);
      // What began before there was a pace took no turn, and may be more than a burst.
      this.sendsUntil = isRepeat === true ? until : atMostBurst(sends, until, now);
    }
    this.turns.delete(id);
    this.counted = [...this.counted, id].slice(-countedMax);
    if (met !== undefined) this.met.set(met, "met");
    await this.store(isNew ? met : undefined);
  }

  /** The account is another one's: whom the former one knew it does not. The pace stays, or a login made anew would be a way around it. */
  async forget(): Promise<void> {
    this.metCache?.clear();
    if (this.reading !== undefined) await this.store();
  }

  private get met(): ReturnType<typeof recentCache<"met">> {
    return (this.metCache ??= recentCache<"met">(metMax));
  }

  /** The rates as they are now, and the instants by them. */
  private current(): PaceRates {
    const rates = this.options.rates();
    const now = this.nowMs();
    this.sendsUntil = exchanged(this.rated.sends, rates.sends, this.sendsUntil, now);
    this.newContactsUntil = exchanged(this.rated.newContacts, rates.newContacts, this.newContactsUntil, now);
    this.rated = rates;
    return rates;
  }

  private async isMet(contact: Contact): Promise<boolean> {
    const name = contactField(contact.id);
    if (this.met.has(name)) return true;
    return (await contact.isKnown()) || (await this.options.peers.get(name)) !== undefined;
  }

  private async read(): Promise<void> {
    const stored = parsePace((await this.options.peers.get(field)) ?? "null");
    if (stored === null) return;
    const { sends, newContacts } = this.current();
    const now = this.nowMs();
    const here = (at: number, rate: Rate | undefined): number => {
      const until = at - Date.now() + now;
      return rate === undefined ? until : atMostBurst(rate, until, now);
    };
    this.sendsUntil = here(stored.sendsUntil, sends);
    this.newContactsUntil = here(stored.newContactsUntil, newContacts);
    this.counted = [...stored.counted];
  }

  /** Writes what is true when its turn to be written comes, so that none is overwritten by an older one. */
  private store(met?: string): Promise<void> {
    return this.writes.run(async () => {
      const offset = Date.now() - this.nowMs();
      const pace = {
        sendsUntil: this.sendsUntil === -Infinity ? 0 : Math.ceil(this.sendsUntil + offset),
        newContactsUntil: this.newContactsUntil === -Infinity ? 0 : Math.ceil(this.newContactsUntil + offset),
        counted: this.counted,
      };
      await this.options.peers.setMany(new Map([[field, JSON.stringify(pace)], ...(met === undefined ? [] : [[met, "1"] as const])]));
    });
  }
}

/** Under which it stands in the session's map that messages were exchanged with somebody. */
export const contactField = (id: string): string => `met:${id}`;
