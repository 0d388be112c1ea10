/** Each one gives another, independent try. */
const multipliers = [1n, 3n, 5n, 7n, 11n, 15n, 21n, 33n, 35n, 55n, 77n, 105n, 165n, 231n, 385n, 1155n] as const;

/**
 * Finds a factor of an odd product of two different primes below 2^64 with Shanks's square forms. All but a few steps are sums and
 * products below 2^53. Returns `undefined` if no multiplier succeeds.
 */
export function factorOf(product: bigint): bigint | undefined {
  for (const multiplier of multipliers) {
    const factor = factorWith(product, product * multiplier);
    if (factor !== undefined) return factor;
  }
  return undefined;
}

function factorWith(product: bigint, multiple: bigint): bigint | undefined {
  const rootBig = squareRoot(multiple);
  const root = Number(rootBig);
  const stepsMax = 6 * Math.floor(Math.sqrt(2 * root));
  const square = firstSquare(root, Number(multiple - rootBig * rootBig), stepsMax);
  if (square === undefined) return undefined;
  const start = Math.floor((root - square.p) / square.root) * square.root + square.p;
  const found = symmetryPoint(root, start, square.root, Number((multiple - BigInt(start) ** 2n) / BigInt(square.root)), stepsMax);
  const factor = found === undefined ? 1n : greatestDivisor(product, BigInt(found));
  return factor === 1n || factor === product ? undefined : factor;
}

/** Walks the cycle of forms until one ends with a square, at an even step. */
function firstSquare(root: number, remainder: number, stepsMax: number): { p: number; root: number } | undefined {
  let [p, before, q] = [root, 1, remainder];
  for (let step = 1; step < stepsMax && q > 0; step++) {
    if (step % 2 === 0) {
      const squareRootOfQ = Math.round(Math.sqrt(q));
      if (squareRootOfQ * squareRootOfQ === q) return { p, root: squareRootOfQ };
    }
    const times = Math.floor((root + p) / q);
    const next = times * q - p;
    [p, before, q] = [next, q, before + times * (p - next)];
  }
  return undefined;
}

/** Walks the cycle of the square's root until it turns around. */
function symmetryPoint(root: number, start: number, first: number, second: number, stepsMax: number): number | undefined {
  let [p, before, q] = [start, first, second];
  for (let step = 0; step < stepsMax; step++) {
    const times = Math.floor((root + p) / q);
    const next = times * q - p;
    if (next === p) return q;
    [p, before, q] = [next, q, before + times * (p - next)];
  }
  return undefined;
}

/** Rounded down. */
function squareRoot(value: bigint): bigint {
  let root = BigInt(Math.floor(Math.sqrt(Number(value))));
  while (root * root > value) root -= 1n;
  while ((root + 1n) * (root + 1n) <= value) root += 1n;
  return root;
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
