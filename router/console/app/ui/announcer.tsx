import { signal } from "@preact/signals";

const said = signal("");

/** Announces a text to screen readers only. */
export function announce(text: string): void {
  said.value = text;
}

export function Announcer() {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {said.value}
    </p>
  );
}
