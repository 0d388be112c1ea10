import type { SignalDataTypeMap, WASocket } from "@whiskeysockets/baileys";

/**
 * Ends a reading of the app state that makes no progress. The library asks again until the answer has all collections, without an end: an answer that
 * lacks one, or always promises more, keeps the account's lock for good, and no message leaves.
 */
export function boundResync({ authState }: Pick<WASocket, "authState">): void {
  const { keys } = authState;
  const get = keys.get.bind(keys);
  const transaction = keys.transaction.bind(keys);
  const rounds = new Map<string, { version: number; count: number }>();
  keys.transaction = (work, key) =>
    transaction(() => {
      // One reading is one transaction, under the name that all transactions of the account itself have.
      if (key === authState.creds.me?.id) rounds.clear();
      return work();
    }, key);
  keys.get = async (type, ids) => {
    const found = await get(type, ids);
    if (type === "app-state-sync-version")
      for (const id of ids) {
        const version = (found[id] as SignalDataTypeMap["app-state-sync-version"] | undefined)?.version ?? 0;
        const former = rounds.get(id);
        const count = former?.version === version ? former.count + 1 : 1;
        if (count > roundsMax) throw new EndlessAppState(id);
        rounds.set(id, { version, count });
      }
    return found;
  };
}

export class EndlessAppState extends Error {
  override readonly name = "EndlessAppState";

  constructor(collection: string) {
    super(`app state has no end: ${collection}`);
  }
}

/** The library itself reads a collection again twice, with a snapshot. */
const roundsMax = 4;
