import type { Log } from "../../shared/log/logger.js";
import { sessionTag } from "../../shared/log/session-tag.js";
import { type Refusal, type RefusalClass, type RefusalKind, strains } from "../session/refusal.js";
import type { Platform } from "../../shared/contract/platform.js";

export interface RefusalWatchOptions {
  readonly tenantOf: (session: string) => string;
  readonly onRefused: (platform: Platform, kind: RefusalKind, refusalClass: RefusalClass) => void;
  /** Keeps the refusal with its session. */
  readonly keep?: (refusal: Refusal) => void;
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface Strained {
  readonly platform: Platform;
  kind: RefusalKind;
  /** The newest refusals. */
  at: number[];
  isLogged: boolean;
}

/** Refusals within the window that count as strain instead of chance. */
const strainsMin = 3;
const windowMs = 15 * 60_000;
/** More sessions than the largest host carries. Past it the session refused longest ago is evicted. */
const sessionsMax = 50_000;

/**
 * Counts platform refusals and remembers the strained sessions. Metrics show only their number, because a series per session would be
 * unbounded; the log names them.
 */
export class RefusalWatch {
  private readonly sessions = new Map<string, Strained>();

  constructor(private readonly options: RefusalWatchOptions) {}

  note(refusal: Refusal): void {
    const { platform, session, kind, class: refusalClass } = refusal;
    this.options.onRefused(platform, kind, refusalClass);
    this.options.keep?.(refusal);
    if (!strains.has(kind)) return;
    const entry = this.sessions.get(session) ?? { platform, kind, at: [], isLogged: false };
    entry.kind = kind;
    entry.at = [...this.recent(entry), this.now()].slice(-strainsMin);
    // Reinserted at the end of the map, so it is evicted last.
    this.sessions.delete(session);
    this.sessions.set(session, entry);
    const [oldest] = this.sessions.keys();
    if (this.sessions.size > sessionsMax && oldest !== undefined) this.sessions.delete(oldest);
    if (!this.isStrained(entry) || entry.isLogged) return;
    entry.isLogged = true;
    const tenant = this.options.tenantOf(session);
    this.options.log.warn({ session: sessionTag(session), tenant, platform, kind }, "platform rejected session requests");
  }

  /** Returns recently strained sessions by platform and kind of the newest refusal. Evicts the others. */
  strained(): { readonly platform: Platform; readonly kind: RefusalKind }[] {
    for (const [session, entry] of this.sessions) if (this.recent(entry).length === 0) this.sessions.delete(session);
    return [...this.sessions.values()].filter((entry) => this.isStrained(entry)).map(({ platform, kind }) => ({ platform, kind }));
  }

  private isStrained(entry: Strained): boolean {
    return this.recent(entry).length >= (entry.kind === "banned" ? 1 : strainsMin);
  }

  private recent({ at }: Strained): number[] {
    const now = this.now();
    return at.filter((each) => now - each < windowMs);
  }

  private now(): number {
    return this.options.now?.() ?? performance.now();
  }
}
