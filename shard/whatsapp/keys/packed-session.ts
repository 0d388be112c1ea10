import { packable, packableBase64, packTree, type SeenTexts } from "./packed-json.js";

/** A record of Signal sessions as libsignal stores it. All its texts but the version are the base64 of keys. */
export interface SessionForm {
  readonly _sessions: Readonly<Record<string, EntryForm>>;
  readonly version: string;
}

interface EntryForm {
  readonly registrationId?: number;
  readonly currentRatchet: {
    readonly ephemeralKeyPair: { readonly pubKey: string; readonly privKey: string };
    readonly lastRemoteEphemeralKey: string;
    readonly previousCounter: number;
    readonly rootKey: string;
  };
  readonly indexInfo: {
    readonly baseKey: string;
    readonly baseKeyType: number;
    readonly closed: number;
    readonly used: number;
    readonly created: number;
    readonly remoteIdentityKey: string;
  };
  readonly _chains: Readonly<Record<string, ChainForm>>;
  readonly pendingPreKey?: object;
}

interface ChainForm {
  /** A closed chain has no key. */
  readonly chainKey: { readonly counter: number; readonly key?: string | undefined };
  readonly chainType: number;
  readonly messageKeys: Readonly<Record<string, string>>;
}

export function isSessionForm(value: unknown): value is SessionForm {
  return typeof value === "object" && value !== null && "_sessions" in value && "version" in value;
}

/**
 * Packs a record to the bytes of `packValue`, in half of the time: it knows the shapes, and does not check that each text is base64. Each
 * message changes a record.
 */
export function packSession({ _sessions, version }: SessionForm): Buffer {
  const seen: SeenTexts = new Map();
  const entries = new Map<unknown, unknown>();
  for (const name of Object.keys(_sessions)) {
    const entry = _sessions[name];
    if (entry !== undefined) entries.set(packableBase64(name, seen), packableEntry(entry, seen));
  }
  return packTree({ _sessions: entries, version });
}

function packableEntry({ registrationId, currentRatchet, indexInfo, _chains, pendingPreKey }: EntryForm, seen: SeenTexts): object {
  // Repeated keys are numbered as they are read, so the order of the members counts.
  const ratchet = packableRatchet(currentRatchet, seen);
  const { baseKey, baseKeyType, closed, used, created, remoteIdentityKey } = indexInfo;
  const index = {
    baseKey: packableBase64(baseKey, seen),
    baseKeyType,
    closed,
    used,
    created,
    remoteIdentityKey: packableBase64(remoteIdentityKey, seen),
  };
  const chains = new Map<unknown, unknown>();
  for (const name of Object.keys(_chains)) {
    const chain = _chains[name];
    if (chain !== undefined) chains.set(packableBase64(name, seen), packableChain(chain, seen));
  }
  const members = { registrationId, currentRatchet: ratchet, indexInfo: index, _chains: chains };
  return pendingPreKey === undefined ? members : { ...members, pendingPreKey: packable(pendingPreKey, seen) };
}

function packableRatchet(
  { ephemeralKeyPair: { pubKey, privKey }, lastRemoteEphemeralKey, previousCounter, rootKey }: EntryForm["currentRatchet"],
  seen: SeenTexts,
): object {
  return {
    ephemeralKeyPair: { pubKey: packableBase64(pubKey, seen), privKey: packableBase64(privKey, seen) },
    lastRemoteEphemeralKey: packableBase64(lastRemoteEphemeralKey, seen),
    previousCounter,
    rootKey: packableBase64(rootKey, seen),
  };
}

function packableChain({ chainKey: { counter, key }, chainType, messageKeys }: ChainForm, seen: SeenTexts): object {
  const chainKey = key === undefined ? { counter } : { counter, key: packableBase64(key, seen) };
  const keys = new Map<unknown, unknown>();
  for (const number of Object.keys(messageKeys)) keys.set(number, packableBase64(messageKeys[number] ?? "", seen));
  return { chainKey, chainType, messageKeys: keys };
}
