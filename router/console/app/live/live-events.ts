import { effect, signal, untracked } from "@preact/signals";
import { liveEventTypes } from "../../../../shared/cluster/live-events.js";
import { EventParser, type ServerEvent } from "../../../../shared/flow/event-parser.js";
import { open } from "../api/call.js";
import { asFailure } from "../api/failure.js";
import { may, self } from "../sign-in/who.js";
import type { LiveEvent } from "./live-event.js";
import { reconnectDelay } from "./reconnect-delay.js";
import { Silence } from "./silence.js";

/** State of the event stream. */
export const liveState = signal<"off" | "connecting" | "live" | "waiting">("off");

/** The gateway sends a heartbeat every 5 s while it can read Redis. */
const silenceMs = 12_000;

/** Returns true while the stream should be open but is not. */
export function isLost(): boolean {
  return liveState.value === "waiting" || liveState.value === "connecting";
}

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();

/** Registers a listener for all events. Returns a function that removes it. */
export function onLive(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether this tab is visible. Hidden tabs close their stream, because a browser has only six connections per host for all tabs. */
const seen = signal(document.visibilityState === "visible");
document.addEventListener("visibilitychange", () => {
  seen.value = document.visibilityState === "visible";
});

/** Id of the last event read; empty to start with new events. Kept while the tab is hidden, so that no event is missed. */
let position = "";

/** Streams events while a user is signed in whose role allows it and the tab is visible. */
export function startLiveEvents(): void {
  effect(() => {
    if (self.value === undefined || !may("read-session")) {
      position = "";
      return undefined;
    }
    if (!seen.value) return undefined;
    const work = new AbortController();
    // What its first call reads and writes is no reason to begin anew.
    untracked(() => void follow(work.signal));
    return () => {
      work.abort();
      liveState.value = "off";
    };
  });
}

async function follow(signal: AbortSignal): Promise<void> {
  let [askedMs, failures]: [number | undefined, number] = [undefined, 0];
  while (!signal.aborted) {
    if (liveState.value !== "waiting") liveState.value = "connecting";
    const silence = new Silence(silenceMs);
    const attempt = AbortSignal.any([signal, silence.signal]);
    try {
      const answer = await open("GET /admin/events", { signal: attempt, headers: position === "" ? {} : { "last-event-id": position } });
      signal.throwIfAborted();
      liveState.value = "live";
      const parser = new EventParser(position);
      for await (const text of pieces(answer, attempt)) {
        silence.heard();
        failures = 0;
        const events = [...parser.push(text)];
        position = parser.lastId;
        askedMs = parser.retryMs ?? askedMs;
        for (const event of events) tell(event);
      }
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      // Its place is none: begin with what comes, and have the lists read again.
      if (asFailure(error).status === 400) {
        position = "";
        tell({ id: "", type: "missed", data: JSON.stringify({ at: new Date().toISOString() }) });
      }
    } finally {
      silence.end();
    }
    if (signal.aborted) break;
    liveState.value = "waiting";
    await delay(reconnectDelay(failures, askedMs, Math.random()), signal);
  }
}

async function* pieces(answer: Response, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (reader !== undefined && !signal.aborted) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function tell({ type, data }: ServerEvent): void {
  if (!(liveEventTypes as readonly string[]).includes(type)) return;
  const event = { type, ...(JSON.parse(data) as object) } as LiveEvent;
  for (const listener of [...listeners]) listener(event);
}

/** Ends early when the network comes back or the user signs out. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
