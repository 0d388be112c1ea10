import type { SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import type { Log } from "../../../shared/log/logger.js";
import { ForgedMessage, ForgedPreKey } from "./forgery.js";

/**
 * Logs forgeries. A device with a forged prekey gets no session; the message goes to the other devices. A message that its author did not
 * sign counts as unreadable, so the library requests another copy.
 */
export function refuseForged<R extends Pick<SignalRepositoryWithLIDStore, "injectE2ESession" | "decryptGroupMessage">>(
  repository: R,
  log: Pick<Log, "warn">,
): R {
  const begin = repository.injectE2ESession.bind(repository);
  const decrypt = repository.decryptGroupMessage.bind(repository);
  repository.injectE2ESession = async (device) => {
    try {
      await begin(device);
    } catch (error) {
      if (!(error instanceof ForgedPreKey)) throw error;
      log.warn({ err: error }, "device with forged prekey omitted from message");
    }
  };
  repository.decryptGroupMessage = async (message) => {
    try {
      return await decrypt(message);
    } catch (error) {
      if (error instanceof ForgedMessage) log.warn({ err: error }, "forged message rejected");
      throw error;
    }
  };
  return repository;
}
