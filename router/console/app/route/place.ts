import { signal } from "@preact/signals";
import { placeOf, type Place } from "./match-route.js";

/** Current place in the console. */
export const place = signal<Place>(placeOf(location.hash));

window.addEventListener("hashchange", arrive);

/**
 * Goes to an address of `to`. `replace`: the way back leads past the place that is left. The page changes in this turn, because what is
 * typed before the browser's event would be lost with the page that is left.
 */
export function go(address: string, replace = false): void {
  if (replace) location.replace(address);
  else location.assign(address);
  arrive();
}

function arrive(): void {
  place.value = placeOf(location.hash);
}
