import type { AuthenticationCreds, KeyPair } from "@whiskeysockets/baileys";
import { withOwnMemory } from "../../../shared/flow/own-memory.js";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import { TimeSlice } from "../../flow/time-slice.js";
import type { SecretMap } from "../../session/session-context.js";
import { x25519PublicKey } from "../network/x25519.js";
import { fromJson } from "./json-bytes.js";
import { unpackJson } from "./packed-json.js";
import {
  decodeTrees,
  encodeTrees,
  isInTree,
  keysOfTree,
  newPrekeyTree,
  prekeyReader,
  withoutPrekey,
  type PrekeyTree,
} from "./prekey-tree.js";

export type Changes = Map<string, Buffer | undefined>;

/**
 * One-time keys for contacts' first messages. The platform requires 812, which stored singly are 95 % of a login's data, so they are
 * derived from seed trees. Keys that the library makes have fields of their own.
 */
export class Prekeys {
  /** Serializes changes: each one depends on the stored trees. */
  private readonly turns = new SerialQueue();
  /** The stored trees; `undefined` until they are read. */
  private trees: readonly PrekeyTree[] | undefined;

  constructor(private readonly secrets: Pick<SecretMap, "getMany" | "apply">) {}

  async get(ids: readonly string[]): Promise<{ [id: string]: KeyPair }> {
    const trees = this.trees ?? (await this.turns.run(() => this.loadTrees()));
    const readers = trees.map((tree) => ({ tree, read: prekeyReader(tree) }));
    const found: { [id: string]: KeyPair } = {};
    const others: number[] = [];
    for (const id of ids.map(Number)) {
      while (timeSlice.isSpent()) await timeSlice.yield();
      const reader = readers.find(({ tree }) => isInTree(tree, id));
      if (reader === undefined) {
        others.push(id);
        continue;
      }
      const key = reader.read(id);
      if (key !== undefined) found[id] = pairOf(key);
    }
    const values = others.length === 0 ? [] : await this.secrets.getMany(others.map(singleField));
    for (const [index, id] of others.entries()) {
      while (timeSlice.isSpent()) await timeSlice.yield();
      const stored = values[index];
      if (stored !== undefined) found[id] = fromJson(unpackJson(stored)) as KeyPair;
    }
    return found;
  }

  /** Deletes keys in one write with the other changes of `write`: the changes of a message and the key that it used are stored together. */
  remove(ids: readonly string[], write: (changes: Changes) => Promise<void>): Promise<void> {
    return this.turns.run(async () => {
      const changes: Changes = new Map();
      const before = await this.loadTrees();
      const after = ids.reduce((trees, id) => trees.map((tree) => withoutPrekey(tree, Number(id))), before);
      const others = ids.map(Number).filter((id) => !before.some((tree) => isInTree(tree, id)));
      if (others.length < ids.length) changes.set(treesField, encodeTrees(after));
      for (const id of others) changes.set(singleField(id), undefined);
      await this.write(changes, after, write);
    });
  }

  /** Reserves as many keys as the platform may request. Resolves with true when the credentials have changed. */
  async reserve(creds: Pick<AuthenticationCreds, "nextPreKeyId" | "firstUnuploadedPreKeyId">): Promise<boolean> {
    return await this.turns.run(async () => {
      const trees = await this.loadTrees();
      if (creds.nextPreKeyId - creds.firstUnuploadedPreKeyId >= uploadCount) return false;
      // Finds a tree that was stored before a crash and that the credentials do not include.
      const existing = trees.find((tree) => isInTree(tree, creds.nextPreKeyId));
      const tree = existing ?? newPrekeyTree(creds.nextPreKeyId);
      const all = existing === undefined ? [...trees, tree] : trees;
      // Durable before any of its keys can be sent to the platform.
      if (existing === undefined)
        await this.write(new Map([[treesField, encodeTrees(all)]]), all, (changes) => this.secrets.apply(changes));
      creds.nextPreKeyId = tree.first + keysOfTree;
      return true;
    });
  }

  /** Drops the cached trees after a login ended and its keys were deleted. */
  forget(): void {
    this.trees = undefined;
  }

  /** Call it in a turn of `turns`: a read from before another write must not be cached after that write. */
  private async loadTrees(): Promise<readonly PrekeyTree[]> {
    if (this.trees !== undefined) return this.trees;
    const [stored] = await this.secrets.getMany([treesField]);
    this.trees = stored === undefined ? [] : withOwnMemory(() => decodeTrees(stored));
    return this.trees;
  }

  /** Until the store responds, either value may be stored. */
  private async write(changes: Changes, trees: readonly PrekeyTree[], write: (changes: Changes) => Promise<void>): Promise<void> {
    this.trees = undefined;
    await write(changes);
    this.trees = trees;
  }
}

/** The number of prekeys that the library uploads when the platform has none. */
const uploadCount = 812;
const timeSlice = new TimeSlice(10);

const treesField = "pre-key-trees";
const singleField = (id: number): string => `pre-key:${id}`;

function pairOf(key: Buffer): KeyPair {
  return { private: key, public: x25519PublicKey(key) };
}
