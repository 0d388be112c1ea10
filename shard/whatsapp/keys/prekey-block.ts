/** Private halves of prekeys that the library made by itself, 64 ids in one value. The public halves are derived. */
export type PrekeyBlock = ReadonlyMap<number, Buffer>;

const idsOfBlock = 64;

export const blockOf = (id: number): number => Math.floor(id / idsOfBlock);

/** A key is the number of its id in the block and 32 bytes. */
export function encodeBlock(block: PrekeyBlock): Buffer {
  return Buffer.concat([Buffer.of(formOfBlock), ...[...block].flatMap(([id, key]) => [Buffer.of(id % idsOfBlock), key])]);
}

/** Throws when it is none. */
export function decodeBlock(number: number, bytes: Buffer): Map<number, Buffer> {
  if (bytes[0] !== formOfBlock || (bytes.length - 1) % 33 !== 0) throw new Error("prekeys are stored in a form that is not known");
  const block = new Map<number, Buffer>();
  for (let at = 1; at < bytes.length; at += 33)
    block.set(number * idsOfBlock + (bytes[at] ?? 0), Buffer.from(bytes.subarray(at + 1, at + 33)));
  return block;
}

const formOfBlock = 1;
