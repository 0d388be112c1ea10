import { aesTables, decryptionKey } from "./aes-tables.js";
import { igeMemory, igeModule } from "./ige-module.js";

/**
 * Decrypts one or more whole blocks into `plainText`, by default new memory, which may be that of `cipherText`. Tables and module take
 * 2 ms, so the first call makes them.
 */
export function decryptIge(key: Buffer, iv: Buffer, cipherText: Buffer, plainText: Buffer = Buffer.allocUnsafe(cipherText.length)): Buffer {
  made ??= make();
  const { bytes, words, tables, decrypt } = made;
  words.set(decryptionKey(key, tables), igeMemory.key / 4);
  bytes.set(iv, igeMemory.before);
  // Works on one piece at a time, so that the memory is bounded and stays in the processor's cache.
  for (let from = 0; ; from += pieceBytes) {
    const piece = cipherText.subarray(from, from + pieceBytes);
    bytes.set(piece, igeMemory.data);
    decrypt(igeMemory.data, igeMemory.data + piece.length);
    bytes.set(piece.subarray(-16), igeMemory.before);
    bytes.copyWithin(igeMemory.before + 16, igeMemory.data + piece.length - 16, igeMemory.data + piece.length);
    plainText.set(bytes.subarray(igeMemory.data, igeMemory.data + piece.length), from);
    if (from + pieceBytes >= cipherText.length) break;
  }
  return plainText;
}

const pieceBytes = 65_536;
let made: ReturnType<typeof make> | undefined;

function make() {
  const memory = new WebAssembly.Memory({ initial: igeMemory.pages, maximum: igeMemory.pages });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(igeModule()), { ige: { memory } });
  const tables = aesTables();
  const words = new Uint32Array(memory.buffer);
  words.set(tables.words, igeMemory.words / 4);
  // The module is ours and exports nothing else.
  return { bytes: new Uint8Array(memory.buffer), words, tables, decrypt: exports["decrypt"] as (from: number, to: number) => void };
}
