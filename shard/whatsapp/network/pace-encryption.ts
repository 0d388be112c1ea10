import type { SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import { KeyedSemaphore } from "../../flow/keyed-semaphore.js";
import { TimeSlice } from "../../flow/time-slice.js";

/**
 * Encrypts a few copies at a time and pauses between new sessions. The library encrypts a status for thousands at once, which blocks the
 * event loop for seconds.
 */
export function paceEncryption<R extends Pick<SignalRepositoryWithLIDStore, "encryptMessage" | "injectE2ESession">>(repository: R): R {
  const encrypt = repository.encryptMessage.bind(repository);
  const agree = repository.injectE2ESession.bind(repository);
  const places = new KeyedSemaphore([atOnce]);
  repository.encryptMessage = async (copy) => {
    const release = await places.enter([]);
    try {
      // The few copies of a message to one person need no pause.
      while (places.running > few && timeSlice.isSpent()) await timeSlice.yield();
      return await encrypt(copy);
    } finally {
      release();
    }
  };
  repository.injectE2ESession = async (device) => {
    while (timeSlice.isSpent()) await timeSlice.yield();
    await agree(device);
  };
  return repository;
}

/** Enough that their reads of keys share a round trip to Redis. */
const atOnce = 64;
const few = 8;
/** Shared by the whole process. */
const timeSlice = new TimeSlice(4);
