import { pause } from "../../../shared/flow/pause.js";
import { EventParser } from "../../../shared/flow/event-parser.js";
import type { Cli } from "../cli.js";
import { CliError, exitCodes } from "../exit-code.js";
import { NoResponse, reasonOf, Refusal } from "../gateway/refusal.js";
import type { ShownEvent } from "./event-filter.js";

/** The server sends a comment every 15 s; after three missing comments the stream counts as dead. */
const silenceMs = 45_000;
const waitsMs = [1_000, 2_000, 5_000, 10_000, 30_000];

/** Yields live events and reconnects as often as needed, each time after the last event received. Ends when the consumer stops reading. */
export async function* followEvents(cli: Cli, since: string | undefined): AsyncGenerator<ShownEvent, void, undefined> {
  let [position, retryMs]: [string | undefined, number | undefined] = [since, undefined];
  for (let failures = 0, opened = false; ; ) {
    // Each stream gets a new parser: an event that was cut off is sent again as a whole.
    const parser = new EventParser(position);
    try {
      for await (const event of oneStream(cli, parser)) {
        if (event === undefined) [opened, failures] = [true, 0];
        else yield event;
      }
      cli.screen.say("Stream ended. Reconnecting…");
    } catch (error) {
      cli.signal.throwIfAborted();
      // If the first connection is rejected, the error is reported; a stream that was open before reconnects.
      const passes = error instanceof NoResponse || (error instanceof Refusal && (error.status === 429 || error.status >= 500));
      if (!passes || !opened) throw error;
      cli.screen.say(`${error.message}. Reconnecting…`);
      failures += 1;
    }
    [position, retryMs] = [parser.lastId, parser.retryMs ?? retryMs];
    await pause((failures === 0 ? retryMs : waitsMs[failures - 1]) ?? waitsMs.at(-1) ?? 0, cli.signal);
    cli.signal.throwIfAborted();
  }
}

/** Yields undefined once the stream is open. */
async function* oneStream({ client }: Cli, parser: EventParser): AsyncGenerator<ShownEvent | undefined, void, undefined> {
  const headers: Record<string, string> = parser.lastId === "" ? {} : { "last-event-id": parser.lastId };
  const over = new AbortController();
  const response = await client.stream({
    path: "/admin/events",
    headers: { accept: "text/event-stream", ...headers },
    signal: over.signal,
  });
  yield undefined;
  if (response.body === null) return;
  const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const next = await inTime(pieces.read(), client.address.origin);
      if (next.done) return;
      for (const { id, type, data: text } of parser.push(next.value)) {
        const data = JSON.parse(text) as Record<string, unknown>;
        if (type !== "end") yield { ...data, id, type };
        else if (data["reason"] === "api key is no longer valid") throw new CliError(data["reason"], exitCodes.refused);
        else return;
      }
    }
  } finally {
    // Closes the connection, even if the stream is silent.
    over.abort();
  }
}

async function inTime<T>(next: Promise<T>, origin: string): Promise<T> {
  const over = new AbortController();
  const silence = pause(silenceMs, over.signal).then(() => {
    if (!over.signal.aborted) throw new NoResponse(origin, "silence", undefined);
    return undefined;
  });
  try {
    return (await Promise.race([next, silence])) ?? (await next);
  } catch (error) {
    throw error instanceof NoResponse ? error : new NoResponse(origin, reasonOf(error), error);
  } finally {
    over.abort();
  }
}
