import type { ComponentChildren } from "preact";
import { FailureNotice } from "./notice.js";
import type { Loaded } from "./use-loaded.js";

/** What was loaded, or why not, or that it is on its way. */
export function View<T>({ of, children }: { of: Loaded<T>; children: (value: T) => ComponentChildren }) {
  return (
    <>
      {of.failure !== undefined && <FailureNotice failure={of.failure} doing="load data" onRetry={of.reload} />}
      {of.value !== undefined ? children(of.value) : of.loading && <Loading />}
    </>
  );
}

export function Loading({ text = "Loading…" }: { text?: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" /> {text}
    </p>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
