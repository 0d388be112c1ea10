/** The lookup tables of AES-256 decryption, computed once from the definition. */
export interface AesTables {
  /**
   * Four times 256 words: the inverse of SubBytes and MixColumns for a byte of each row; then 256 words with the inverse of SubBytes in
   * each of their bytes.
   */
  readonly words: Uint32Array;
  /** SubBytes. */
  readonly sbox: Uint8Array;
}

export function aesTables(): AesTables {
  const [power, log] = logarithms();
  const times = (a: number, b: number): number => (a === 0 ? 0 : at(power, (at(log, a) + at(log, b)) % 255));
  const [sbox, words] = [new Uint8Array(256), new Uint32Array(5 * 256)];
  for (let byte = 0; byte < 256; byte++) {
    const inverse = byte === 0 ? 0 : at(power, (255 - at(log, byte)) % 255);
    const doubled = inverse | (inverse << 8);
    const value = (inverse ^ (doubled >> 7) ^ (doubled >> 6) ^ (doubled >> 5) ^ (doubled >> 4) ^ 0x63) & 0xff;
    sbox[byte] = value;
    const column = times(byte, 14) | (times(byte, 9) << 8) | (times(byte, 13) << 16) | (times(byte, 11) << 24);
    for (let row = 0; row < 4; row++) words[row * 256 + value] = row === 0 ? column : (column << (8 * row)) | (column >>> (32 - 8 * row));
    words[4 * 256 + value] = byte * 0x01010101;
  }
  return { words, sbox };
}

/** Returns the 60 words of the decryption key, in the order of their use. */
export function decryptionKey(key: Uint8Array, { words, sbox }: AesTables): Uint32Array {
  const forward = new Uint32Array(60);
  for (let i = 0; i < 8; i++)
    forward[i] = at(key, 4 * i) | (at(key, 4 * i + 1) << 8) | (at(key, 4 * i + 2) << 16) | (at(key, 4 * i + 3) << 24);
  for (let i = 8; i < 60; i++) {
    const last = at(forward, i - 1);
    const mixed =
      i % 8 === 0 ? substituted((last >>> 8) | (last << 24), sbox) ^ (1 << (i / 8 - 1)) : i % 8 === 4 ? substituted(last, sbox) : last;
    forward[i] = at(forward, i - 8) ^ mixed;
  }
  const backward = new Uint32Array(60);
  for (let round = 0; round <= 14; round++)
    for (let i = 0; i < 4; i++) {
      const word = at(forward, 4 * (14 - round) + i);
      backward[4 * round + i] = round === 0 || round === 14 ? word : unmixed(substituted(word, sbox), words);
    }
  return backward;
}

/** Powers of 3 in the field of AES, and their logarithms. */
function logarithms(): [power: Uint8Array, log: Uint8Array] {
  const [power, log] = [new Uint8Array(256), new Uint8Array(256)];
  for (let exponent = 0, value = 1; exponent < 255; exponent++) {
    power[exponent] = value;
    log[value] = exponent;
    value ^= (value << 1) ^ (value & 0x80 ? 0x11b : 0);
  }
  return [power, log];
}

function substituted(word: number, sbox: Uint8Array): number {
  return (
    at(sbox, word & 0xff) | (at(sbox, (word >>> 8) & 0xff) << 8) | (at(sbox, (word >>> 16) & 0xff) << 16) | (at(sbox, word >>> 24) << 24)
  );
}

/** Applies the inverse of MixColumns to a word after SubBytes, which the tables undo. */
function unmixed(word: number, words: Uint32Array): number {
  return (
    at(words, word & 0xff) ^
    at(words, 256 + ((word >>> 8) & 0xff)) ^
    at(words, 512 + ((word >>> 16) & 0xff)) ^
    at(words, 768 + (word >>> 24))
  );
}

function at(values: Uint8Array | Uint32Array, index: number): number {
  return values[index] ?? 0;
}
