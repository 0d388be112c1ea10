/**
 * `a * b + c`, modulo the order of the point that all keys of the curve are multiples of. `a` and `c` have 64 bytes, `b` and the result 32, the lowest first. Every step is taken
 * whatever the bytes are, because keys are among them: how long a BigInt takes tells its size. As TweetNaCl has it, digit by digit in numbers that stay exact.
 */
export function multiplyAdd(a: Uint8Array, b: Uint8Array, c: Uint8Array): Buffer {
  const [factor, sum] = [reduced(Float64Array.from(a)), new Float64Array(64)];
  sum.set(reduced(Float64Array.from(c)));
  for (let i = 0; i < 32; i++) for (let j = 0; j < 32; j++) sum[i + j] = at(sum, i + j) + at(factor, i) * at(b, j);
  return reduced(sum);
}

/** 2^252 + 27742317777372353535851937790883648493. */
const order = Buffer.from("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010", "hex");

/** Takes 64 digits of 256 and changes them; a digit may be some thousand times as large. */
function reduced(digits: Float64Array): Buffer {
  // 2^256 is 16 times 2^252, and 2^252 is minus the rest of the order: its first 16 bytes, and three more for what is carried.
  for (let i = 63; i >= 32; i--) {
    let carry = 0;
    for (let j = i - 32; j < i - 12; j++) {
      const digit = at(digits, j) + carry - 16 * at(digits, i) * at(order, j - i + 32);
      carry = Math.floor((digit + 128) / 256);
      digits[j] = digit - carry * 256;
    }
    digits[i - 12] = at(digits, i - 12) + carry;
    digits[i] = 0;
  }
  const quotient = Math.floor(at(digits, 31) / 16);
  let carry = 0;
  for (let j = 0; j < 32; j++) {
    const digit = at(digits, j) + carry - quotient * at(order, j);
    carry = Math.floor(digit / 256);
    digits[j] = digit - carry * 256;
  }
  // Below zero by now the carry is -1, else 0.
  for (let j = 0; j < 32; j++) digits[j] = at(digits, j) - carry * at(order, j);
  const bytes = Buffer.alloc(32);
  let over = 0;
  for (let j = 0; j < 32; j++) {
    const digit = at(digits, j) + over;
    over = Math.floor(digit / 256);
    bytes[j] = digit - over * 256;
  }
  return bytes;
}

function at(digits: Float64Array | Uint8Array, index: number): number {
  return digits[index] ?? 0;
}
