import type { SignalKeyStore, SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import { TimeSlice } from "../../flow/time-slice.js";
import { readSessions } from "../keys/read-sessions.js";

type Repository = Pick<SignalRepositoryWithLIDStore, "validateSession" | "lidMapping" | "jidToSignalProtocolAddress">;

/**
 * Before it encrypts a message for many, the library asks for the session with each of them, one after the other: a trip to Redis for each, and where all are in memory thousands in one turn of the event loop.
 * With the devices of a message told before, a hundred are read at once, within the library's transaction, and it rests in between.
 */
export class SessionReader {
  /** Blocks that were not read yet, by each of their devices; empty but for the time of one message. */
  private readonly blocks = new Map<string, readonly string[]>();

  /** While `work` runs, the library will ask for the sessions with these devices (JIDs). What two works have in common is read ahead for one of them. */
  async during<T>(devices: readonly string[], work: () => Promise<T>): Promise<T> {
    const blocks: (readonly string[])[] = [];
    for (let start = 0; start < devices.length; start += atOnce) blocks.push(devices.slice(start, start + atOnce));
    for (const block of blocks) for (const device of block) this.blocks.set(device, block);
    try {
      return await work();
    } finally {
      for (const block of blocks) this.forget(block);
    }
  }

  install<R extends Repository>(repository: R, keys: Pick<SignalKeyStore, "get">): R {
    const validate = repository.validateSession.bind(repository);
    repository.validateSession = async (device) => {
      while (timeSlice.isSpent()) await timeSlice.yield();
      const block = this.blocks.get(device);
      if (block !== undefined) {
        this.forget(block);
        await readSessions(repository, keys, block);
      }
      return await validate(device);
    };
    return repository;
  }

  private forget(block: readonly string[]): void {
    for (const device of block) if (this.blocks.get(device) === block) this.blocks.delete(device);
  }
}

const atOnce = 100;
/** Of the whole process. */
const timeSlice = new TimeSlice(4);
