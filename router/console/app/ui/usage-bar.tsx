import { numberText } from "./number-text.js";
import { usageTone } from "./usage-tone.js";

/** Shows how much of a quota is used. The label is for screen readers. */
export function UsageBar({ label, used, quota }: { label: string; used: number; quota: number }) {
  return (
    <div class="usage">
      <span>
        {numberText(used)} of {numberText(quota)}
      </span>
      <progress
        class={usageTone(used, quota)}
        aria-label={label}
        max={Math.max(1, quota)}
        value={quota === 0 ? 1 : Math.min(used, quota)}
      />
    </div>
  );
}
