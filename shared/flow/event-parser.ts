/** A server-sent event. */
export interface ServerEvent {
  /** Id of the last event that had one; the client sends it when it reconnects. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/**
 * Parses server-sent events from a stream of arbitrary pieces. The client, the command line and
 * the console read `GET /admin/events` with it.
 */
export class EventParser {
  /** Milliseconds to wait before a reconnect, if the stream sets them. */
  retryMs: number | undefined;
  private rest = "";
  private type = "";
  private data: string[] = [];
  private id: string | undefined;

  /** `lastId`: where to go on; the last id that came whole, also without an event. */
  constructor(public lastId = "") {}

  /** Throws for an event that is longer than any of the gateway's. */
  *push(text: string): Generator<ServerEvent, void, undefined> {
    this.rest += text;
    for (;;) {
      // A carriage return at the end may be half a line's end.
      const end = /\r\n|\n|\r(?!$)/.exec(this.rest);
      if (end === null) break;
      const line = this.rest.slice(0, end.index);
      this.rest = this.rest.slice(end.index + end[0].length);
      if (line !== "") {
        this.read(line);
        continue;
      }
      const event = this.take();
      if (event !== undefined) yield event;
    }
    if (this.rest.length > eventMaxCharacters) throw new Error("an event is too long");
  }

  private read(line: string): void {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.type = value;
    else if (name === "data") this.data.push(value);
    else if (name === "id" && !value.includes("\u0000")) this.id = value;
    else if (name === "retry" && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    if (this.data.length > eventMaxLines) throw new Error("an event is too long");
  }

  private take(): ServerEvent | undefined {
    this.lastId = this.id ?? this.lastId;
    const { type, data } = this;
    this.type = "";
    this.data = [];
    this.id = undefined;
    return data.length === 0 ? undefined : { id: this.lastId, type: type === "" ? "message" : type, data: data.join("\n") };
  }
}

const eventMaxCharacters = 1_000_000;
const eventMaxLines = 1_024;
