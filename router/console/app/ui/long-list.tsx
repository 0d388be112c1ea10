import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { listWindow } from "./list-window.js";

export interface LongListProps<Row> {
  /** What it is a list of. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Pixels; every row has it. */
  readonly rowHeight: number;
  readonly children: (row: Row) => ComponentChildren;
  /** Its end is near. */
  readonly onEnd?: (() => void) | undefined;
  /** Behind the last row. */
  readonly foot?: ComponentChildren;
}

/** A list of any length, of which only what is in sight is drawn. */
export function LongList<Row>({ label, rows, keyOf, rowHeight, children, onEnd, foot }: LongListProps<Row>) {
  const element = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ scrollTop: 0, viewHeight: 800 });
  useEffect(() => {
    const box = element.current;
    if (box === null) return undefined;
    const look = (): void => setSight({ scrollTop: box.scrollTop, viewHeight: box.clientHeight });
    const watch = new ResizeObserver(look);
    watch.observe(box);
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      watch.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, []);
  const { first, end } = listWindow({ ...sight, rowHeight, count: rows.length, spare: 8 });
  useEffect(() => {
    if (end >= rows.length) onEnd?.();
  }, [end, rows.length, onEnd]);
  return (
    <div ref={element} class="long-list" tabIndex={0} role="region" aria-label={label}>
      <ul style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(first, end).map((row, index) => (
          <li
            key={keyOf(row)}
            style={{ transform: `translateY(${(first + index) * rowHeight}px)`, height: `${rowHeight}px` }}
            aria-setsize={rows.length}
            aria-posinset={first + index + 1}
          >
            {children(row)}
          </li>
        ))}
      </ul>
      {foot}
    </div>
  );
}
