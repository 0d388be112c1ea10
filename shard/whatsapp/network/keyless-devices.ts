import type { SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import { recentCache } from "../../flow/recent-cache.js";

/**
 * Remembers devices without usable keys, because the platform has none or they are forged. When a message fails for all of its devices,
 * the library reports only that it failed.
 */
export class KeylessDevices {
  private readonly found = recentCache<object>(devicesMost, entryMs);

  /** True when a message could not be encrypted for this device in the last minute because it has no usable keys. */
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

/** True for the Signal library's error that no session exists and none could be started. */
function hasNoSession(error: unknown): boolean {
  return error instanceof Error && error.name === "SessionError";
}

/** A placeholder value: only the key matters. */
const keyless = {};
/** Enough for one group. */
const devicesMost = 5_000;
const entryMs = 60_000;
