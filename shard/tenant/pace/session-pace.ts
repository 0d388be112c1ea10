import { tooManyRequests } from "../../../shared/contract/errors.js";
import type { Ending } from "../../../shared/flow/ending.js";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import { Notifier } from "../../flow/notifier.js";
import { recentCache } from "../../flow/recent-cache.js";
import { exchanged, atMostBurst, used, usedEvents, waitMs, type Rate } from "./rate.js";
import { LookUpPace } from "./look-up-pace.js";
import type { PaceRates } from "./pace-rates.js";
import type { PaceStore } from "./pace-store.js";
import { parsePace } from "./stored-pace.js";

export interface SessionPaceOptions {
  /** Returns the current rates, which can change between calls. */
  readonly rates: () => PaceRates;
  /** The map that stores the pace, so that it moves with the session. */
  readonly peers: PaceStore;
  readonly onRefused: () => void;
  /** Monotonic milliseconds, so that setting the clock does not change how long a send waits. */
  readonly nowMs?: () => number;
}

/** The recipient of a message. `isKnown` returns whether the platform's part knows that the account has exchanged messages with them. */
export interface Contact {
  /** Unique on the platform. */
  readonly id: string;
  readonly isKnown: () => Promise<boolean>;
}

/** A message about to be sent. `isRepeat`: an earlier owner may have sent it, so it must not be rejected. */
export interface PacedSend {
  readonly id: string;
  readonly isRepeat?: boolean | undefined;
}

/** Lets a command go on to the platform. It counts until `end`, whether the command gets there or not. */
export interface Turn {
  end(): void;
}

/** The used part of each burst. */
export interface PaceUsage {
  readonly rates: PaceRates;
  readonly sends: number;
  readonly newContacts: number;
}

const countedMax = 16;
const metMax = 1_000;
/** Its name in the session's map. No chat has such a name. */
const field = "pace";

/**
 * Limits how fast one session may send. A message takes a turn first and is counted just before it leaves, so an earlier failure costs
 * nothing. The count is stored before the message leaves, so neither a crash nor a move resets it.
 */
export class SessionPace {
  /** Limits the session's phone lookups. */
  readonly lookUps: LookUpPace;
  /** The rates that the instants below are based on. */
  private rated: PaceRates;
  private readonly turns = new Set<string>();
  private readonly freed = new Notifier();
  private readonly met = recentCache<"met">(metMax);
  private readonly writes = new SerialQueue();
  private readonly nowMs: () => number;
  private reading: Promise<void> | undefined;
  /** Monotonic milliseconds. */
  private sendsUntil = -Infinity;
  private newContactsUntil = -Infinity;
  private counted: string[] = [];

  constructor(private readonly options: SessionPaceOptions) {
    this.rated = options.rates();
    this.lookUps = new LookUpPace({ rate: () => options.rates().sends, peers: options.peers });
    this.nowMs = options.nowMs ?? (() => performance.now());
  }

  get isOn(): boolean {
    const { sends, newContacts } = this.options.rates();
    return sends !== undefined || newContacts !== undefined;
  }

  get boundsNewContacts(): boolean {
    return this.options.rates().newContacts !== undefined;
  }

  /** Reads once what the former owner stored. */
  async ready(): Promise<void> {
    this.reading ??= this.read().catch((error: unknown) => {
      this.reading = undefined;
      throw error;
    });
    await this.reading;
  }

  /** Returns the milliseconds that a message waits behind `ahead` others. */
  waitMs(ahead = 0): number {
    const { sends } = this.current();
    return sends === undefined ? 0 : waitMs(sends, this.sendsUntil, this.nowMs(), ahead + this.turns.size);
  }

  /** Returns the rates, and how many events of each burst are used. Reads what the former owner stored. */
  async usage(): Promise<PaceUsage> {
    await this.ready();
    const rates = this.current();
    const now = this.nowMs();
    return {
      rates,
      sends: rates.sends === undefined ? 0 : usedEvents(rates.sends, this.sendsUntil, now),
      newContacts: rates.newContacts === undefined ? 0 : usedEvents(rates.newContacts, this.newContactsUntil, now),
    };
  }

  /** Returns a signal that aborts when a turn is released, or when the rates change. */
  nextFreed(): Ending {
    return this.freed.next();
  }

  /** Called when the rates have changed: waiting sends check again. */
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
   * Counts a message about to be sent, and resolves when that is stored. `contactOf` returns `undefined` for a group or channel. Rejects
   * with 429 for one new contact too many: a wait would delay replies behind it in the session's lane.
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
    // Another message to them may have been counted in the meantime.
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
      // Sends that began before there was a pace took no turn, and may be more than a burst.
      this.sendsUntil = isRepeat === true ? until : atMostBurst(sends, until, now);
    }
    this.turns.delete(id);
    this.counted = [...this.counted, id].slice(-countedMax);
    if (met !== undefined) this.met.set(met, "met");
    await this.store(isNew ? met : undefined);
  }

  /** Another account logs in, which does not know the former one's contacts. The pace stays, or a new login would bypass it. */
  async forget(): Promise<void> {
    this.met.clear();
    if (this.reading !== undefined) await this.store();
  }

  /** Returns the current rates, and converts the instants to them. */
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

  /** Writes the values at the time of writing, so that none is overwritten by an older one. */
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

/** Returns the name in the session's map that marks a contact as met. */
export const contactField = (id: string): string => `met:${id}`;
