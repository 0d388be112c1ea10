import { isHostedPnUser, isPnUser, type SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import type { ReadMessage, SignalSessions } from "./signal-sessions.js";

type Repository = Pick<
  SignalRepositoryWithLIDStore,
  | "encryptMessage"
  | "decryptMessage"
  | "injectE2ESession"
  | "validateSession"
  | "getSessionInfo"
  | "deleteSession"
  | "migrateSession"
  | "jidToSignalProtocolAddress"
> & { readonly lidMapping: Pick<SignalRepositoryWithLIDStore["lidMapping"], "getLIDForPN"> };

/** A message of a person, with what makes its events (see `SignalSessions.decrypt`). */
export type PersonalMessage = Parameters<Repository["decryptMessage"]>[0] & { readonly read?: ReadMessage };

/** Makes a connection encrypt and read with these sessions. The library runs a transaction around each step, and stores by itself. */
export function useSignalSessions<R extends Repository>(repository: R, sessions: SignalSessions): R {
  /** Pairs of a person's two ids whose sessions were moved to the second one. The library moves none of them with each message. */
  const moved = new Set<string>();
  const addressOf = (jid: string): Promise<string> => sessionAddress(repository, jid);
  repository.encryptMessage = async ({ jid, data }) => await sessions.encrypt(await addressOf(jid), data);
  repository.decryptMessage = async ({ jid, type, ciphertext, read }: PersonalMessage) =>
    await sessions.decrypt(await addressOf(jid), type, ciphertext, read);
  repository.injectE2ESession = async ({ jid, session }) => await sessions.begin(await addressOf(jid), session);
  repository.validateSession = async (jid) =>
    (await sessions.has(await addressOf(jid))) ? { exists: true } : { exists: false, reason: "no open session" };
  const info = repository.getSessionInfo.bind(repository);
  repository.getSessionInfo = async (jid) => await sessions.outside(() => info(jid));
  const remove = repository.deleteSession.bind(repository);
  repository.deleteSession = async (jids) => await sessions.outside(() => remove(jids));
  const move = repository.migrateSession.bind(repository);
  repository.migrateSession = async (from, to) => {
    const pair = `${from} ${to}`;
    if (moved.has(pair)) return { migrated: 0, skipped: 0, total: 0 };
    const result = await sessions.outside(() => move(from, to));
    if (moved.size >= movedMost) moved.clear();
    moved.add(pair);
    return result;
  };
  return repository;
}

/** Returns the address under which the library stores the session with a device: that of the anonymous id, if it is known. */
export async function sessionAddress(
  { lidMapping, jidToSignalProtocolAddress }: Pick<Repository, "lidMapping" | "jidToSignalProtocolAddress">,
  jid: string,
): Promise<string> {
  const anonymous = isPnUser(jid) === true || isHostedPnUser(jid) === true ? await lidMapping.getLIDForPN(jid) : null;
  return jidToSignalProtocolAddress(anonymous ?? jid);
}

const movedMost = 1_000;
