import { linePoints } from "./samples.js";

const [width, height] = [120, 32];

/** A line through the samples. The figure beside it has the value, so the line is hidden from screen readers. */
export function Sparkline({ samples }: { samples: readonly number[] }) {
  return (
    <svg class="sparkline" viewBox={`0 -1 ${width} ${height + 2}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path class="ground" d={`M0 ${height}H${width}`} />
      <polyline points={linePoints(samples, width, height)} />
    </svg>
  );
}
