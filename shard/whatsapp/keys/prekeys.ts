import type { AuthenticationCreds, KeyPair } from "@whiskeysockets/baileys";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import type { SchemaPort } from "../../../shared/schema/schema-follower.js";
import { packedSchema } from "../../../shared/schema/schema-version.js";
import { TimeSlice } from "../../flow/time-slice.js";
import type { SecretMap } from "../../session/session-context.js";
import { x25519PublicKey } from "../network/x25519.js";
import { fromJsonBytes } from "./json-bytes.js";
import { unpackJson } from "./packed-json.js";
import { blockOf, decodeBlock, encodeBlock, type PrekeyBlock } from "./prekey-block.js";
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
 * The one-time keys that the account's contacts write their first message with. The platform wants 812 of them, which one by one are 95 % of a login; so they are trees of seeds
 * (`PrekeyTree`), from which a used one can never be derived again. What the library made by itself stands in fields of its own, or in blocks since it was packed.
 */
export class Prekeys {
  /** One after the other: each change of a tree is made of what stands there. */
  private readonly turns = new SerialQueue();
  /** As stored. */
  private trees: readonly PrekeyTree[] | undefined;

  constructor(
    private readonly secrets: Pick<SecretMap, "getMany" | "apply">,
    private readonly schema: SchemaPort,
  ) {}

  async get(ids: readonly string[]): Promise<{ [id: string]: KeyPair }> {
    const trees = this.trees ?? (await this.turns.run(() => this.known()));
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
    const { single, inBlock } = await this.read(others);
    for (const id of others) {
      while (timeSlice.isSpent()) await timeSlice.yield();
      const key = inBlock.get(id);
      const pair = single.get(id) ?? (key && pairOf(key));
      if (pair !== undefined) found[id] = pair;
    }
    return found;
  }

  /** Keys that are gone from here on, in one write with what `others` brings: what a message was read with goes with the key that it used up. */
  remove(ids: readonly string[], write: (changes: Changes) => Promise<void>): Promise<void> {
    return this.turns.run(async () => {
      const changes: Changes = new Map();
      const before = await this.known();
      const after = ids.reduce((trees, id) => trees.map((tree) => withoutPrekey(tree, Number(id))), before);
      const others = ids.map(Number).filter((id) => !before.some((tree) => isInTree(tree, id)));
      if (others.length < ids.length) changes.set(treesField, encodeTrees(after));
      const { inBlock } = await this.read(others);
      for (const id of others) {
        changes.set(singleField(id), undefined);
        inBlock.delete(id);
      }
      for (const number of new Set(others.map(blockOf))) setBlock(changes, number, inBlock);
      await this.write(changes, after, write);
    });
  }

  /** Makes as many keys as the platform may ask for, and packs what the library made by itself. Resolves with true when the credentials have changed. */
  async reserve(creds: Pick<AuthenticationCreds, "nextPreKeyId" | "firstUnuploadedPreKeyId">): Promise<boolean> {
    if (this.schema.written < packedSchema) return false;
    return await this.turns.run(async () => {
      const trees = await this.known();
      if (trees.length === 0) await this.pack(creds.nextPreKeyId);
      if (creds.nextPreKeyId - creds.firstUnuploadedPreKeyId >= askedFor) return false;
      // One that was stored before a crash, and that the credentials do not know of.
      const known = trees.find((tree) => isInTree(tree, creds.nextPreKeyId));
      const tree = known ?? newPrekeyTree(creds.nextPreKeyId);
      const all = known === undefined ? [...trees, tree] : trees;
      // Durable before any of its keys can be given to the platform.
      if (known === undefined) await this.write(new Map([[treesField, encodeTrees(all)]]), all, (changes) => this.secrets.apply(changes));
      creds.nextPreKeyId = tree.first + keysOfTree;
      return true;
    });
  }

  /** The login is over, and its keys are gone. */
  forget(): void {
    this.trees = undefined;
  }

  /** Keys that stand in fields of their own, into blocks: a few of these at once, each with the fields that it replaces, so that a crash loses none. */
  private async pack(end: number): Promise<void> {
    for (let from = 0; from < end; from += packedAtOnce) {
      const ids = Array.from({ length: Math.min(packedAtOnce, end - from) }, (_, n) => from + n);
      const { single, inBlock } = await this.read(ids);
      const changes: Changes = new Map();
      for (const [id, { private: key }] of single) {
        while (timeSlice.isSpent()) await timeSlice.yield();
        if (key.length !== 32) continue;
        inBlock.set(id, Buffer.from(key));
        changes.set(singleField(id), undefined);
      }
      if (changes.size === 0) continue;
      for (const number of new Set([...single.keys()].map(blockOf))) setBlock(changes, number, inBlock);
      await this.secrets.apply(changes);
    }
  }

  private async read(ids: readonly number[]): Promise<{ single: Map<number, KeyPair>; inBlock: Map<number, Buffer> }> {
    if (ids.length === 0) return { single: new Map(), inBlock: new Map() };
    const blocks = [...new Set(ids.map(blockOf))];
    const values = await this.secrets.getMany([...blocks.map(blockField), ...ids.map(singleField)]);
    const inBlock = blocks.flatMap((number, n) => {
      const bytes = values[n];
      return bytes === undefined ? [] : [...decodeBlock(number, bytes)];
    });
    const single = ids.flatMap((id, n): [number, KeyPair][] => {
      const bytes = values[blocks.length + n];
      return bytes === undefined ? [] : [[id, fromJsonBytes(unpackJson(bytes)) as KeyPair]];
    });
    return { single: new Map(single), inBlock: new Map(inBlock) };
  }

  /** In a turn: what was read before another's write must not be remembered behind it. */
  private async known(): Promise<readonly PrekeyTree[]> {
    if (this.trees !== undefined) return this.trees;
    const [stored] = await this.secrets.getMany([treesField]);
    this.trees = stored === undefined ? [] : decodeTrees(stored);
    return this.trees;
  }

  /** Until the store has answered, nobody knows which of the two stands there. */
  private async write(changes: Changes, trees: readonly PrekeyTree[], write: (changes: Changes) => Promise<void>): Promise<void> {
    this.trees = undefined;
    await write(changes);
    this.trees = trees;
  }
}

/** So many the library uploads where the platform has none. */
const askedFor = 812;
/** Whole blocks; a script with their fields stays short. */
const packedAtOnce = 512;
const timeSlice = new TimeSlice(10);

const treesField = "pre-key-trees";
const blockField = (number: number): string => `pre-key-block:${number}`;
/** As versions before the schema 2 store each of them. */
export const singleField = (id: number): string => `pre-key:${id}`;

function setBlock(changes: Changes, number: number, keys: PrekeyBlock): void {
  const block = new Map([...keys].filter(([id]) => blockOf(id) === number));
  changes.set(blockField(number), block.size === 0 ? undefined : encodeBlock(block));
}

function pairOf(key: Buffer): KeyPair {
  return { private: key, public: x25519PublicKey(key) };
}
