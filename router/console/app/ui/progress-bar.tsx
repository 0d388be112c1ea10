import { numberText } from "./number-text.js";

/** How far something has come. The label is for screen readers; `text` is what everybody reads. */
export function ProgressBar({ label, done, total, text = `${label}:` }: { label: string; done: number; total: number; text?: string }) {
  return (
    <div class="progress-bar">
      <progress aria-label={label} max={Math.max(1, total)} value={Math.min(done, total)} />
      <span>
        {text} {numberText(done)} of {numberText(total)} done
      </span>
    </div>
  );
}
