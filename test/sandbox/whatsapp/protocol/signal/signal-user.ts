/** The phone of one simulated user: a real Signal identity with its sessions. */
import { randomInt } from "node:crypto";
import {
  type BinaryNode,
  BufferJSON,
  DEFAULT_CONNECTION_CONFIG,
  encodeBigEndian,
  generateSignalPubKey,
  type KeyPair,
  type SignalCreds,
} from "@whiskeysockets/baileys";
import type { OneTimePreKey, SignedPreKey } from "../../whatsapp-backend.js";
import { signingKeyPair } from "../crypto/signing-key-pair.js";
import { x25519KeyPair } from "../crypto/x25519.js";
import { node } from "../node.js";
import { MemoryKeys, type StoredKey } from "./memory-keys.js";
import { OwnSenderKeys, type SealedForGroup } from "./own-sender-keys.js";
import { silentLogger } from "./silent-logger.js";

export interface StoredUser {
  readonly lid: string;
  /** JSON in the library's form. */
  readonly creds: string;
  readonly keys: readonly StoredKey[];
  readonly nextPreKey: number;
}

/** Public keys of a device, which start a session with it. */
export interface DeviceBundle {
  readonly registrationId: number;
  readonly identity: Buffer;
  readonly signedPreKey: SignedPreKey;
  readonly preKey: OneTimePreKey | undefined;
}

/** Limit of unused one-time keys. Clients request many more than they use. */
const maxPreKeys = 1_000;

export class SignalUser {
  private readonly keys = new MemoryKeys();
  private readonly senderKeys = new OwnSenderKeys(this.keys);
  private readonly repository;
  private tail: Promise<unknown> = Promise.resolve();
  private cachedBundle: readonly BinaryNode[] | undefined;

  private constructor(
    readonly lid: string,
    private readonly creds: SignalCreds,
    private nextPreKey: number,
    private readonly changed: () => void,
  ) {
    this.repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys: this.keys }, silentLogger, async () => []);
  }

  /** `changed` is called when the state to store has changed. */
  static create(lid: string, changed: () => void): SignalUser {
    const identity = signingKeyPair();
    const keyPair = x25519KeyPair();
    const signedPreKey = { keyPair, keyId: 1, signature: identity.sign(generateSignalPubKey(keyPair.public)) };
    return new SignalUser(lid, { signedIdentityKey: identity.pair, signedPreKey, registrationId: randomInt(1, 16_381) }, 1, changed);
  }

  static fromStored({ lid, creds, keys, nextPreKey }: StoredUser, changed: () => void): SignalUser {
    const user = new SignalUser(lid, JSON.parse(creds, BufferJSON.reviver), nextPreKey, changed);
    user.keys.import(keys);
    return user;
  }

  toStored(): StoredUser {
    return { lid: this.lid, creds: JSON.stringify(this.creds, BufferJSON.replacer), keys: this.keys.export(), nextPreKey: this.nextPreKey };
  }

  get identity(): KeyPair {
    return this.creds.signedIdentityKey;
  }

  get registrationBytes(): Uint8Array {
    return encodeBigEndian(this.creds.registrationId);
  }

  /** Runs the user's tasks one after another: concurrent steps would corrupt a ratchet. */
  async inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = this.tail.then(task).finally(this.changed);
    this.tail = run.catch(() => undefined);
    return await run;
  }

  /** Returns `type`, `identity`, `skey` and `key` nodes. `cached` returns one fixed bundle without a one-time key. */
  bundle(cached: boolean): readonly BinaryNode[] {
    if (cached) return (this.cachedBundle ??= this.lastingKeys());
    const id = this.nextPreKey++;
    const pair = x25519KeyPair();
    if (this.keys.count("pre-key") >= maxPreKeys) this.keys.dropOldest("pre-key");
    this.keys.set({ "pre-key": { [id]: pair } });
    this.changed();
    return [...this.lastingKeys(), node("key", {}, [node("id", {}, encodeBigEndian(id, 3)), node("value", {}, pair.public)])];
  }

  /** Returns the padded plain text. `sender` is a LID device JID. */
  async decrypt(sender: string, type: "pkmsg" | "msg", ciphertext: Buffer): Promise<Uint8Array> {
    return await this.repository.decryptMessage({ jid: sender, type, ciphertext });
  }

  async acceptSenderKey(sender: string, groupId: string, distribution: Uint8Array): Promise<void> {
    const item = { groupId, axolotlSenderKeyDistributionMessage: distribution };
    await this.repository.processSenderKeyDistributionMessage({ authorJid: sender, item });
  }

  async decryptGroup(sender: string, group: string, message: Buffer): Promise<Uint8Array> {
    return await this.repository.decryptGroupMessage({ group, authorJid: sender, msg: message });
  }

  async hasSession(jid: string): Promise<boolean> {
    return (await this.repository.validateSession(jid)).exists;
  }

  async dropSession(jid: string): Promise<void> {
    await this.repository.deleteSession([jid]);
  }

  async beginSession(jid: string, bundle: DeviceBundle): Promise<void> {
    const { registrationId, identity, signedPreKey, preKey } = bundle;
    await this.repository.injectE2ESession({
      jid,
      session: {
        registrationId,
        identityKey: generateSignalPubKey(identity),
        signedPreKey: {
          keyId: signedPreKey.id.readUIntBE(0, 3),
          publicKey: generateSignalPubKey(signedPreKey.value),
          signature: signedPreKey.signature,
        },
        ...(preKey ? { preKey: { keyId: preKey.id.readUIntBE(0, 3), publicKey: generateSignalPubKey(preKey.value) } } : {}),
      },
    });
  }

  async encrypt(jid: string, padded: Uint8Array): Promise<{ readonly type: "pkmsg" | "msg"; readonly ciphertext: Uint8Array }> {
    return await this.repository.encryptMessage({ jid, data: padded });
  }

  encryptGroup(group: string, padded: Uint8Array): SealedForGroup {
    return this.senderKeys.encrypt(group, padded);
  }

  private lastingKeys(): BinaryNode[] {
    const { signedPreKey } = this.creds;
    return [
      node("type", {}, Buffer.from([5])),
      node("identity", {}, this.identity.public),
      node("skey", {}, [
        node("id", {}, encodeBigEndian(signedPreKey.keyId, 3)),
        node("value", {}, signedPreKey.keyPair.public),
        node("signature", {}, signedPreKey.signature),
      ]),
    ];
  }
}
