import { useEffect, useRef, useState } from "preact/hooks";
import { reconnectDelay } from "../../../live/reconnect-delay.js";
import { Notice } from "../../../ui/notice.js";

interface Props {
  readonly kind: "video" | "audio";
  readonly src: string;
  readonly label: string;
  readonly poster?: string | undefined;
  readonly width?: number;
  readonly height?: number;
}

/** Retries after about 1, 2, 4 and 8 seconds, enough for a gateway restart. */
const mostTries = 4;

/**
 * Plays video or audio by ranges, without preloading. A failed player never recovers, so it is loaded anew at its position. A format that
 * the browser cannot play shows a link to the file.
 */
export function Player({ kind, src, label, ...look }: Props) {
  const tries = useRef(0);
  const next = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const [useless, setUseless] = useState(false);
  useEffect(() => () => clearTimeout(next.current), []);

  async function onError({ currentTarget: element }: { currentTarget: HTMLMediaElement }): Promise<void> {
    const { currentTime, paused } = element;
    if (tries.current === mostTries || (await isAnswered(src))) {
      setUseless(true);
      return;
    }
    clearTimeout(next.current);
    next.current = setTimeout(
      () => {
        element.load();
        element.currentTime = currentTime;
        // When it cannot, the next error says so.
        if (!paused) element.play().catch(() => undefined);
      },
      reconnectDelay(tries.current, undefined, Math.random()),
    );
    tries.current += 1;
  }

  const common = {
    src,
    "aria-label": label,
    controls: true,
    preload: "none",
    onError: (event: { currentTarget: HTMLMediaElement }) => void onError(event),
    onPlaying: () => {
      tries.current = 0;
      setUseless(false);
    },
  } as const;
  return (
    <>
      {kind === "video" ? <video class="post-picture" {...common} {...look} /> : <audio {...common} />}
      {useless && (
        <Notice kind="warn">
          This file can't be played here or is no longer available.{" "}
          <a href={src} target="_blank" rel="noreferrer">
            Open file
          </a>
        </Notice>
      )}
    </>
  );
}

/** Whether the gateway has the file, or says that it has not: then it is not the way to it that failed. */
async function isAnswered(src: string): Promise<boolean> {
  const status = await fetch(src, { method: "HEAD", credentials: "omit", cache: "no-store" }).then(
    (answer) => answer.status,
    () => 0,
  );
  return status !== 0 && status < 500;
}
