import { TimeSlice } from "../../flow/time-slice.js";
import { KeyedSemaphore } from "../../flow/keyed-semaphore.js";
import type { Client } from "../client.js";

/**
 * The library encrypts the copies of a status for all of its recipients at once: thousands of promises that take each step together, so that the event loop
 * has no turn for seconds, and all of them are garbage at the same moment. From here on this connection encrypts a few at a time and rests in between.
 * Only the number at once changes; what waits is bounded by the recipients of the statuses under way.
 */
export function paceEncryption({ sock: { signalRepository } }: Pick<Client, "sock">): void {
  if (paced.has(signalRepository)) return;
  paced.add(signalRepository);
  const encrypt = signalRepository.encryptMessage.bind(signalRepository);
  const places = new KeyedSemaphore([atOnce]);
  signalRepository.encryptMessage = async (copy) => {
    const release = await places.enter([]);
    try {
      if (timeSlice.isSpent()) await timeSlice.yield();
      return await encrypt(copy);
    } finally {
      release();
    }
  };
}

const paced = new WeakSet<object>();
/** Enough that their reads of keys share a round trip to Redis. */
const atOnce = 64;
const timeSlice = new TimeSlice(10);
