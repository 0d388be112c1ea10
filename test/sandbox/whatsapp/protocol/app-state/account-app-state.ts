/** The app state of one account: a sync key, and all patches of each collection. */
import { randomBytes } from "node:crypto";
import { chatModificationToAppPatch, type LTHashState, newLTHashState, proto } from "@whiskeysockets/baileys";
import type { AccountProfile, AddressBookEntry, User } from "../../whatsapp-backend.js";
import { saltOf } from "../../world/stranger-token.js";
import { bytesField, MutationKeys, mixPatch, type PatchChange } from "./mutation-keys.js";

export interface StoredAppState {
  readonly phone: string;
  /** Base64, like the patches. */
  readonly keyId: string;
  readonly keyData: string;
  readonly collections: readonly { readonly name: string; readonly patches: readonly string[] }[];
}

interface Collection {
  state: LTHashState;
  /** The patch at index n makes version n + 1. */
  readonly patches: Buffer[];
}

/** Contacts per patch; each contact takes about 200 bytes. */
const maxChangesPerPatch = 5_000;

export class AccountAppState {
  private readonly collections = new Map<string, Collection>();
  private readonly keys: MutationKeys;

  private constructor(
    readonly keyId: Buffer,
    readonly keyData: Buffer,
  ) {
    this.keys = new MutationKeys(keyId, keyData);
  }

  /** Returns the state of a phone with this push name and address book. */
  static of({ phone, pushName, contacts, saltInHistory = false }: AccountProfile): AccountAppState {
    const state = new AccountAppState(randomBytes(6), randomBytes(32));
    if (pushName !== "") state.setPushName(pushName);
    state.setContacts(contacts);
    if (!saltInHistory) state.setSalt(saltOf(phone));
    return state;
  }

  static fromStored({ keyId, keyData, collections }: StoredAppState): AccountAppState {
    const state = new AccountAppState(Buffer.from(keyId, "base64"), Buffer.from(keyData, "base64"));
    for (const { name, patches } of collections) for (const patch of patches) state.add(name, Buffer.from(patch, "base64"));
    return state;
  }

  toStored(phone: string): StoredAppState {
    const collections = [...this.collections].map(([name, { patches }]) => ({
      name,
      patches: patches.map((patch) => patch.toString("base64")),
    }));
    return { phone, keyId: this.keyId.toString("base64"), keyData: this.keyData.toString("base64"), collections };
  }

  setPushName(pushName: string): void {
    this.change("critical_block", [chatModificationToAppPatch({ pushNameSetting: pushName }, "")]);
  }

  setContacts(contacts: readonly AddressBookEntry[]): void {
    const changes = contacts.map(({ phone, lid, name }) =>
      chatModificationToAppPatch(
        { contact: { fullName: name, lidJid: `${lid}@lid`, saveOnPrimaryAddressbook: true } },
        `${phone}@s.whatsapp.net`,
      ),
    );
    for (let start = 0; start < changes.length; start += maxChangesPerPatch)
      this.change("critical_unblock_low", changes.slice(start, start + maxChangesPerPatch));
  }

  removeContacts(users: readonly User[]): void {
    if (users.length === 0) return;
    this.change(
      "critical_unblock_low",
      users.map(({ phone }) => chatModificationToAppPatch({ contact: null }, `${phone}@s.whatsapp.net`)),
    );
  }

  /** Salt of the tokens that the account gives to strangers. */
  private setSalt(salt: Buffer): void {
    const operation = proto.SyncdMutation.SyncdOperation.SET;
    const further = bytesField(80, bytesField(1, salt));
    this.change("regular_high", [{ type: "regular_high", index: ["nct_salt_sync"], apiVersion: 1, operation, syncAction: {}, further }]);
  }

  version(name: string): number {
    return this.collections.get(name)?.state.version ?? 0;
  }

  /** Returns the patches that follow `version`. */
  since(name: string, version: number): readonly Buffer[] {
    return this.collections.get(name)?.patches.slice(version) ?? [];
  }

  /** Appends an encoded `SyncdPatch` as the next version. Throws when it is malformed. */
  add(name: string, encoded: Buffer): void {
    const patch = proto.SyncdPatch.decode(encoded);
    const collection = this.collection(name);
    collection.state = mixPatch(patch, collection.state);
    collection.patches.push(Buffer.from(proto.SyncdPatch.encode({ ...patch, version: { version: collection.state.version } }).finish()));
  }

  private change(name: string, changes: readonly PatchChange[]): void {
    const collection = this.collection(name);
    const { patch, state } = this.keys.encode(name, changes, collection.state);
    collection.state = state;
    collection.patches.push(patch);
  }

  private collection(name: string): Collection {
    let collection = this.collections.get(name);
    if (!collection) this.collections.set(name, (collection = { state: newLTHashState(), patches: [] }));
    return collection;
  }
}
