import type { SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import { KeyedSemaphore } from "../../flow/keyed-semaphore.js";
import { TimeSlice } from "../../flow/time-slice.js";

/**
 * The library encrypts a status, and a first text to a group, for all recipients at once: thousands of promises that take each step together, so that the event loop has no turn for seconds, and all of them
 * are garbage at the same moment. It agrees on keys with a hundred new devices in one turn. Here it encrypts a few at a time, agrees on one after the other, and rests in between: a command of another session
 * needs some ten turns of the loop. Only the number at once changes; what waits is bounded by the recipients of the messages under way.
 */
export function paceEncryption<R extends Pick<SignalRepositoryWithLIDStore, "encryptMessage" | "injectE2ESession">>(repository: R): R {
  const encrypt = repository.encryptMessage.bind(repository);
  const agree = repository.injectE2ESession.bind(repository);
  const places = new KeyedSemaphore([atOnce]);
  repository.encryptMessage = async (copy) => {
    const release = await places.enter([]);
    try {
      // The copies of a message to one person are not worth a turn of the loop.
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
/** Of the whole process. */
const timeSlice = new TimeSlice(4);
