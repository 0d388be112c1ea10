/** How many fetches may run at once. */
export interface TurnLimits {
  readonly total: number;
  readonly perSession: number;
  readonly perFile: number;
}

/**
 * Four of a file keep its connection busy; eight of a session leave room for a picture beside a film; 64 of all, each with about 1.5 MiB in
 * buffers on its way from the socket to the cache, bound the memory of a shard.
 */
export const chunkTurnLimits: TurnLimits = { total: 64, perSession: 8, perFile: 4 };

interface FileTurns {
  running: number;
  readonly waiting: Set<() => void>;
}

interface SessionTurns {
  running: number;
  readonly files: Map<string, FileTurns>;
}

/**
 * Who may fetch next: sessions in turn, and within a session its files in turn, so that a large download holds up neither a picture nor another account.
 * What waits is bounded by the lanes of commands in front of it.
 */
export class FetchTurns {
  /** In the order in which they were served. */
  private readonly sessions = new Map<string, SessionTurns>();
  private runningCount = 0;
  private waitingCount = 0;

  constructor(private readonly limits: TurnLimits = chunkTurnLimits) {}

  get running(): number {
    return this.runningCount;
  }

  get waiting(): number {
    return this.waitingCount;
  }

  /** Gives the function that ends the turn, to be called once; at once when there is a turn to be had. Rejects with the signal's reason when that ends the wait. */
  take(session: string, file: string, signal: AbortSignal): (() => void) | Promise<() => void> {
    const ofSession = this.sessions.get(session) ?? { running: 0, files: new Map<string, FileTurns>() };
    this.sessions.set(session, ofSession);
    const ofFile = ofSession.files.get(file) ?? { running: 0, waiting: new Set() };
    ofSession.files.set(file, ofFile);
    const end = (): void => {
      this.count(session, ofSession, file, ofFile, -1);
      this.forget(session, ofSession, file, ofFile);
      this.giveTurns();
    };
    // Whoever may run does: those that wait are waiting for another turn than this.
    if (this.mayRun(ofSession, ofFile)) {
      this.count(session, ofSession, file, ofFile, 1);
      return end;
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener("abort", onAbort);
        resolve(end);
      };
      const onAbort = (): void => {
        if (!ofFile.waiting.delete(start)) return;
        this.waitingCount--;
        this.forget(session, ofSession, file, ofFile);
        reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      ofFile.waiting.add(start);
      this.waitingCount++;
    });
  }

  private mayRun(ofSession: SessionTurns, ofFile: FileTurns): boolean {
    const { total, perSession, perFile } = this.limits;
    return this.runningCount < total && ofSession.running < perSession && ofFile.running < perFile;
  }

  private giveTurns(): void {
    while (this.waitingCount > 0 && this.giveTurn());
  }

  /** To the session with the fewest running, and in it to the file with the fewest; among equals to the one that was served the longest ago. */
  private giveTurn(): boolean {
    let best: { session: string; ofSession: SessionTurns; file: string; ofFile: FileTurns; start: () => void } | undefined;
    for (const [session, ofSession] of this.sessions) {
      if (best !== undefined && ofSession.running >= best.ofSession.running) continue;
      let least = Number.POSITIVE_INFINITY;
      for (const [file, ofFile] of ofSession.files) {
        const [start] = ofFile.waiting;
        if (start === undefined || ofFile.running >= least || !this.mayRun(ofSession, ofFile)) continue;
        least = ofFile.running;
        best = { session, ofSession, file, ofFile, start };
      }
    }
    if (best === undefined) return false;
    best.ofFile.waiting.delete(best.start);
    this.waitingCount--;
    this.count(best.session, best.ofSession, best.file, best.ofFile, 1);
    best.start();
    return true;
  }

  /** Whoever begins or ends a turn goes to the end of the line. */
  private count(session: string, ofSession: SessionTurns, file: string, ofFile: FileTurns, change: 1 | -1): void {
    ofFile.running += change;
    ofSession.running += change;
    this.runningCount += change;
    toEnd(ofSession.files, file, ofFile);
    toEnd(this.sessions, session, ofSession);
  }

  /** What neither runs nor waits takes no memory. */
  private forget(session: string, ofSession: SessionTurns, file: string, ofFile: FileTurns): void {
    if (ofFile.running === 0 && ofFile.waiting.size === 0) ofSession.files.delete(file);
    if (ofSession.files.size === 0) this.sessions.delete(session);
  }
}

function toEnd<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}
