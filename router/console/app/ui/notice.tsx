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

/** A failure in the API's own words, with its status, and what may be done about it. */
export function FailureNotice({ failure, onRetry, text }: { failure: ApiFailure; onRetry?: (() => void) | undefined; text?: string }) {
  const { status, message, retryAfterSeconds } = failure;
  return (
    <Notice kind="bad" title={status === 0 ? "No answer" : `Refused with ${status}`}>
      <p class="sentences">{text ?? message}</p>
      {retryAfterSeconds !== undefined && <p>The gateway asks to wait {retryAfterSeconds} s.</p>}
      {onRetry !== undefined && <Button onClick={() => onRetry()}>Try again</Button>}
    </Notice>
  );
}
