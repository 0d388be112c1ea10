import type { SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import { recentCache } from "../../flow/recent-cache.js";

/**
 * Devices of which there are no usable keys: the platform has none of them, or they are forged. Of a message for which that is so of all that it had to be encrypted for, the library says no more than that it failed.
 */
export class KeylessDevices {
  private readonly found = recentCache<object>(devicesMost, knownMs);

  /** Whether a message could not be encrypted for it a moment ago, for that reason alone. */
  has(jid: string): boolean {
    return this.found.has(jid);
  }

  watch<R extends Pick<SignalRepositoryWithLIDStore, "encryptMessage">>(repository: R): R {
    const encrypt = repository.encryptMessage.bind(repository);
    repository.encryptMessage = async (copy) => {
      try {
        return await encrypt(copy);
      } catch (error) {
        if (hasNoSession(error)) this.found.set(copy.jid, keyless);
        throw error;
      }
    };
    return repository;
  }
}

/** As the Signal library has it: there is no session, and none could be begun. */
function hasNoSession(error: unknown): boolean {
  return error instanceof Error && error.name === "SessionError";
}

/** A mark: only the device matters. */
const keyless = {};
/** One group's. */
const devicesMost = 5_000;
const knownMs = 60_000;
