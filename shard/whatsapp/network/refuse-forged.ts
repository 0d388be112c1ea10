import type { SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import type { Log } from "../../../shared/log/logger.js";
import { ForgedMessage, ForgedPreKey } from "./forgery.js";

/**
 * Tells operators of what is forged. A device whose prekey is forged gets no session, so that nothing is ever encrypted for it; the others of the same message go on without it. A
 * message that its author did not sign is as good as unreadable: the library asks its author for another copy.
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
      log.warn({ err: error }, "device left out of a message");
    }
  };
  repository.decryptGroupMessage = async (message) => {
    try {
      return await decrypt(message);
    } catch (error) {
      if (error instanceof ForgedMessage) log.warn({ err: error }, "message refused");
      throw error;
    }
  };
  return repository;
}
