import type { SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import type { Log } from "../../../shared/log/logger.js";
import { ForgedPreKey } from "./native-curve.js";

/** A device whose prekey is forged gets no session, so that nothing is ever encrypted for it. The others of the same message go on without it. */
export function leaveOutForged<R extends Pick<SignalRepositoryWithLIDStore, "injectE2ESession">>(repository: R, log: Pick<Log, "warn">): R {
  const begin = repository.injectE2ESession.bind(repository);
  repository.injectE2ESession = async (device) => {
    try {
      await begin(device);
    } catch (error) {
      if (!(error instanceof ForgedPreKey)) throw error;
      log.warn({ err: error }, "device left out of a message");
    }
  };
  return repository;
}
