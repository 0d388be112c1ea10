/** How far something has come. The element itself tells it to whoever hears the page. */
export function ProgressBar({ label, done, total }: { label: string; done: number; total: number }) {
  return (
    <div class="progress-bar">
      <progress aria-label={label} max={Math.max(1, total)} value={Math.min(done, total)} />
      <span>
        {label}: {done.toLocaleString()} of {total.toLocaleString()}
      </span>
    </div>
  );
}
