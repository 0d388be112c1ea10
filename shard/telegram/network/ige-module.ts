/**
 * AES-256-IGE decryption as a WebAssembly module, written instruction by instruction so that no compiler is needed. `decrypt(from, to)`
 * works in place. The memory holds the tables, the key's words, and the cipher and plain text of the block before.
 */
export const igeMemory = { words: 0, key: 5 * 1_024, before: 6_112, data: 6_144, pages: 2 } as const;

export function igeModule(): Uint8Array<ArrayBuffer> {
  const code = decryption();
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 2, i32, i32, 0]),
    ...section(2, [1, ...name("ige"), ...name("memory"), 2, 0, igeMemory.pages]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name("decrypt"), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
}

const i32 = 0x7f;
const [loop, endBlock, branchIf, emptyBlock] = [0x03, 0x0b, 0x0d, 0x40];
const [and, xor, shiftLeft, shiftRight, add, less] = [0x71, 0x73, 0x74, 0x76, 0x6a, 0x49];

/** Locals: the address and the end, then the columns of one block each. */
const [address, end] = [0, 1];
type Columns = readonly [number, number, number, number];
const state: Columns = [2, 3, 4, 5];
const next: Columns = [6, 7, 8, 9];
const cipherBefore: Columns = [10, 11, 12, 13];
const plainBefore: Columns = [14, 15, 16, 17];
const columns = [0, 1, 2, 3] as const;

/** With cipher text c and plain text p: p(i) = D(c(i) xor p(i-1)) xor c(i-1). */
function decryption(): number[] {
  const before = columns.flatMap((n) => [
    ...[...constant(0), ...load(igeMemory.before + 4 * n), ...set(cipherBefore[n])],
    ...[...constant(0), ...load(igeMemory.before + 16 + 4 * n), ...set(plainBefore[n])],
  ]);
  const whitened = columns.flatMap((n) => [
    ...get(address),
    ...load(4 * n),
    ...get(plainBefore[n]),
    xor,
    ...roundKey(0, n),
    xor,
    ...set(state[n]),
  ]);
  const rounds: number[] = [];
  let [from, to] = [state, next];
  for (let round = 1; round <= 14; round++) {
    rounds.push(
      ...columns.flatMap((n) => [...(round < 14 ? mixedColumn(from, n) : lastColumn(from, n)), ...roundKey(round, n), xor, ...set(to[n])]),
    );
    [from, to] = [to, from];
  }
  const written = columns.flatMap((n) => [
    ...[...get(from[n]), ...get(cipherBefore[n]), xor, ...set(plainBefore[n])],
    ...[...get(address), ...load(4 * n), ...set(cipherBefore[n])],
    ...[...get(address), ...get(plainBefore[n]), ...store(4 * n)],
  ]);
  const further = [...get(address), ...constant(16), add, ...set(address), ...get(address), ...get(end), less, branchIf, 0];
  const locals = [1, 16, i32];
  return [...locals, ...before, loop, emptyBlock, ...whitened, ...rounds, ...written, ...further, endBlock, endBlock];
}

/** Row r of a column comes from the column r places before. */
function mixedColumn(from: Columns, n: number): number[] {
  return columns.flatMap((row) => [
    ...tableIndex(column(from, n - row), row),
    ...load(igeMemory.words + 1_024 * row),
    ...(row === 0 ? [] : [xor]),
  ]);
}

/** The last round mixes nothing: of a word with four equal bytes it takes the byte in its place. */
function lastColumn(from: Columns, n: number): number[] {
  return columns.flatMap((row) => [
    ...[...tableIndex(column(from, n - row), row), ...load(igeMemory.words + 4_096)],
    ...[...constant((0xff << (8 * row)) | 0), and, ...(row === 0 ? [] : [xor])],
  ]);
}

function column(from: Columns, n: number): number {
  return from[columns[((n + 4) % 4) as 0 | 1 | 2 | 3]];
}

/** Returns four times a byte of a word, which is its offset in a table. */
function tableIndex(local: number, row: number): number[] {
  const shift = row === 0 ? [...constant(2), shiftLeft] : [...constant(8 * row - 2), shiftRight];
  return [...get(local), ...shift, ...constant(0x3fc), and];
}

function roundKey(round: number, n: number): number[] {
  return [...constant(0), ...load(igeMemory.key + 16 * round + 4 * n)];
}

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const load = (offset: number): number[] => [0x28, 2, ...unsigned(offset)];
const store = (offset: number): number[] => [0x36, 2, ...unsigned(offset)];
const constant = (value: number): number[] => [0x41, ...signed(value)];
const section = (id: number, content: readonly number[]): number[] => [id, ...unsigned(content.length), ...content];
const name = (text: string): number[] => [text.length, ...Buffer.from(text)];

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const [low, rest] = [value & 0x7f, value >> 7];
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}
