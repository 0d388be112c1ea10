import type { SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import { TimeSlice } from "../../flow/time-slice.js";
import { readSessions } from "../keys/read-sessions.js";
import type { SignalSessions } from "../signal-sessions/signal-sessions.js";

type Repository = Pick<SignalRepositoryWithLIDStore, "validateSession" | "lidMapping" | "jidToSignalProtocolAddress">;

/**
 * Reads the Signal sessions of a message's devices a hundred at a time, with pauses. The library reads them one by one: a Redis trip for
 * each, or thousands from memory without a pause.
 */
export class SessionReader {
  /** Blocks that are not read yet, by each of their devices. Empty while no message is being sent. */
  private readonly blocks = new Map<string, readonly string[]>();

  /**
   * Runs `work`, for which the library reads the sessions with these devices (JIDs). Devices that two calls share are read ahead for only
   * one of them.
   */
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

  install<R extends Repository>(repository: R, sessions: Pick<SignalSessions, "prepare">): R {
    const validate = repository.validateSession.bind(repository);
    repository.validateSession = async (device) => {
      while (timeSlice.isSpent()) await timeSlice.yield();
      const block = this.blocks.get(device);
      if (block !== undefined) {
        this.forget(block);
        await readSessions(repository, sessions, block);
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
/** Shared by the whole process. */
const timeSlice = new TimeSlice(4);
