import type { ComponentChildren } from "preact";
import type { ApiFailure } from "../api/failure.js";
import { Button } from "./button.js";

export function Notice({
  kind,
  title,
  children,
}: {
  kind: "info" | "good" | "warn" | "bad";
  title?: string;
  children?: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind}`} role={kind === "bad" ? "alert" : "status"}>
      {title !== undefined && <strong>{title}</strong>}
      {children !== undefined && <div>{children}</div>}
    </div>
  );
}

export interface FailureNoticeProps {
  readonly failure: ApiFailure;
  /** What failed, as a verb: `send message`. */
  readonly doing: string;
  readonly onRetry?: (() => void) | undefined;
  readonly text?: string;
}

/** Names what failed, why in the API's own words, and how to retry. Status and request id help whoever reads the logs. */
export function FailureNotice({ failure, doing, onRetry, text }: FailureNoticeProps) {
  const { status, message, retryAfterSeconds, requestId } = failure;
  const details = [status === 0 ? "" : `Status ${status}`, requestId === "" ? "" : `Request ${requestId}`];
  const small = details.filter((detail) => detail !== "").join(" · ");
  return (
    <Notice kind="bad" title={`Couldn't ${doing}`}>
      <p class="sentences">{text ?? message}</p>
      {retryAfterSeconds !== undefined && <p>Try again in {retryAfterSeconds} s.</p>}
      {small !== "" && <p class="hint sentences">{small}</p>}
      {onRetry !== undefined && <Button onClick={() => onRetry()}>Try again</Button>}
    </Notice>
  );
}
