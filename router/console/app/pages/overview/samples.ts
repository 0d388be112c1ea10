/** Most samples that the page keeps: one every 5 s, so the last five minutes. */
export const samplesMax = 60;
const perMinute = 12;

/** Adds a sample and drops the oldest beyond the limit. Pure. */
export function withSample(samples: readonly number[], sample: number): readonly number[] {
  return [...samples, sample].slice(-samplesMax);
}

/** Returns the average of the last minute; `undefined` without a sample. Pure. */
export function lastMinute(samples: readonly number[]): number | undefined {
  const recent = samples.slice(-perMinute);
  return recent.length === 0 ? undefined : recent.reduce((sum, sample) => sum + sample, 0) / recent.length;
}

/** Returns the points of a line through the samples, the newest at the right edge. The highest sample touches the top. Pure. */
export function linePoints(samples: readonly number[], width: number, height: number): string {
  const most = Math.max(1, ...samples);
  const step = width / (samplesMax - 1);
  const place = (sample: number, index: number): string =>
    `${(width - (samples.length - 1 - index) * step).toFixed(1)},${(height - (sample / most) * height).toFixed(1)}`;
  return samples.map(place).join(" ");
}
