/** `BENCH_SCALE=0.1` makes the scenarios with many sessions smaller, for a try; figures that count are taken without it. */
const scale = Number(process.env["BENCH_SCALE"] ?? "1");

export function scaled(count: number): number {
  return Math.max(1, Math.round(count * scale));
}

export function scaleNotes(): string[] {
  return scale === 1 ? [] : [`NOT THE FULL SIZE: scaled by ${scale}`];
}
