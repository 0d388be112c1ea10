/**
 * Returns `length` bytes at `offset` of the synthetic file `fileId`. They depend on id and position only, so no file is stored and a test
 * can compute any range. 512 KB take about 1 ms.
 */
export function syntheticBytes(fileId: string | number, offset: number, length: number): Buffer {
  const seed = seedOf(String(fileId));
  const firstWord = Math.floor(offset / 4);
  const lead = offset - firstWord * 4;
  const words = new Uint32Array(Math.ceil((lead + length) / 4));
  for (let i = 0; i < words.length; i++) words[i] = wordAt(seed, firstWord + i);
  return Buffer.from(words.buffer, lead, length);
}

function seedOf(fileId: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < fileId.length; i++) hash = Math.imul(hash ^ fileId.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** One xorshift-multiply round over seed and index (the finaliser of MurmurHash3); files stay below 2^32 words. */
function wordAt(seed: number, index: number): number {
  let x = (seed ^ Math.imul(index + 1, 0x9e3779b1)) >>> 0;
  x ^= x >>> 16;
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
