import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";

/** The encrypted bytes of one chunk, without the block before them; of the first chunk with the initialization vector. */
export interface CheckedChunk {
  readonly chunk: number;
  readonly bytes: Buffer;
  /** The file's MAC, if this is its last chunk. */
  readonly mac: Buffer | undefined;
}

/**
 * Checks files whose chunks are all read, from the first to the last, within a short time: the MAC of a file covers all of it. Chunks may
 * overtake each other. A file that is read in another way is not checked.
 */
export class WholeChecks {
  private readonly files = new LRUCache<string, RunningCheck>({ max: filesMax, ttlAutopurge: true });

  /** Returns false if this chunk completes a file whose MAC does not match. */
  add(fileKey: string, macKey: Buffer, chunk: CheckedChunk): boolean {
    const check = this.checkOf(fileKey, macKey, chunk.chunk);
    if (check === undefined || chunk.chunk < check.next) return true;
    if (chunk.chunk === 0) this.files.set(fileKey, check, { ttl: checkMs });
    check.early.set(chunk.chunk, chunk);
    for (let next = check.early.get(check.next); next !== undefined; next = check.early.get(check.next)) {
      check.early.delete(check.next);
      check.mac.update(next.bytes);
      check.next += 1;
      if (next.mac === undefined) continue;
      this.files.delete(fileKey);
      return check.mac.digest().subarray(0, next.mac.length).equals(next.mac);
    }
    if (check.early.size > earlyMax) this.files.delete(fileKey);
    return true;
  }

  /** Begins a check with the first chunk, or with one that may have overtaken it. The first chunk again begins another check. */
  private checkOf(fileKey: string, macKey: Buffer, chunk: number): RunningCheck | undefined {
    const running = this.files.get(fileKey);
    const begins = running === undefined ? chunk <= earlyMax : chunk === 0 && running.next > 0;
    if (!begins) return running;
    const check: RunningCheck = { next: 0, mac: createHmac("sha256", macKey), early: new Map() };
    this.files.set(fileKey, check, { ttl: overtakenMs });
    return check;
  }
}

interface RunningCheck {
  /** The chunk that the MAC covers next. */
  next: number;
  readonly mac: ReturnType<typeof createHmac>;
  /** Chunks that came before the next one. */
  readonly early: Map<number, CheckedChunk>;
}

/** With three chunks of 512 KiB each that came early, 24 MiB. */
const filesMax = 16;
/** A file is fetched by four requests at once, so at most three chunks overtake one. */
const earlyMax = 3;
const checkMs = 10 * 60_000;
/** A chunk that came before the first one is forgotten after this time: it was then read alone, and a later reading gets its own bytes. */
const overtakenMs = 60_000;
