import { setTimeout as pause } from "node:timers/promises";
import { EventParser, type ServerEvent } from "../../shared/flow/event-parser.js";

export interface EventsOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Id of the last event read. The stream continues after it as far as events are still stored. */
  readonly lastEventId?: string;
  readonly signal?: AbortSignal;
}

/** Thrown if a retry is useless: the key is invalid or the request is wrong. */
export class EventsRefused extends Error {
  override readonly name = "EventsRefused";

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Yields live events of `GET /admin/events` and reconnects after the last event; an event of type `missed` means that some were lost. Ends
 * with `signal`; throws `EventsRefused` if a retry is useless.
 */
export async function* readEvents(options: EventsOptions): AsyncGenerator<ServerEvent, void, undefined> {
  const { lastEventId = "", signal = new AbortController().signal } = options;
  let position = lastEventId;
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    const parser = new EventParser(position);
    try {
      yield* readStream(options, parser, signal);
    } catch (error) {
      if (error instanceof EventsRefused) throw error;
      // The stream broke off or could not be opened; the loop reconnects.
    }
    position = parser.lastId;
    retryMs = parser.retryMs ?? retryMs;
    await pause(retryMs, undefined, { signal }).catch(() => undefined); // The signal ended the pause, and ends the loop too.
  }
}

const firstRetryMs = 2_000;
/** The gateway sends a heartbeat every 5 s: past this silence the connection is dead, or the router cannot read Redis. */
const silenceMs = 45_000;

async function* readStream(
  { baseUrl, apiKey }: EventsOptions,
  parser: EventParser,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent, void, undefined> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const response = await fetch(new URL("/admin/events", baseUrl), {
      headers: { "x-api-key": apiKey, ...(parser.lastId === "" ? {} : { "last-event-id": parser.lastId }) },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || response.body === null) throw await refusal(response);
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      timer.refresh();
      for (const event of parser.push(text)) {
        if (event.type === "end" && event.data.includes("api key")) throw new EventsRefused(401, "api key is no longer valid");
        if (event.type !== "end") yield event;
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** A plain error means that a retry may succeed. */
async function refusal(response: Response): Promise<Error> {
  const text = await response.text();
  return response.status < 500 && response.status !== 429 ? new EventsRefused(response.status, text) : new Error(text);
}
