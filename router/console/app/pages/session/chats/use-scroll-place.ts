import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** Closer to the end than this, the view follows new messages. */
const nearPixels = 80;

/**
 * Keeps the end of a conversation in sight while the reader is there, and the reader's place when older messages are added. `oldest` is the
 * id of the oldest message. `hold` keeps the place when the reader opens something in the list.
 */
export function useScrollPlace(oldest: string | undefined) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const before = useRef({ height: 0, oldest });
  useEffect(() => {
    const element = box.current;
    const list = element?.querySelector("ol");
    if (element == null || list == null) return undefined;
    const look = (): void => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearPixels;
    };
    // Pictures get their size when they have loaded.
    const watch = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
      before.current.height = element.scrollHeight;
    });
    watch.observe(list);
    watch.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { height } = before.current;
    if (before.current.oldest !== undefined && before.current.oldest !== oldest && !isAtEnd.current)
      element.scrollTop += element.scrollHeight - height;
    before.current = { height: element.scrollHeight, oldest };
  }, [oldest]);
  return {
    box,
    hold: (): void => {
      isAtEnd.current = false;
    },
  };
}
