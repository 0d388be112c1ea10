import { signal } from "@preact/signals";

const said = signal("");

/** Says something to whoever hears the page, without a word on it. */
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
