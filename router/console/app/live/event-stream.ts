/** One event of a stream; `id` is where to go on from. */
export interface StreamEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** What a piece of a stream brought. */
export interface Parsed {
  readonly events: readonly StreamEvent[];
  /** The last position that was told, also without an event; `undefined`: none in this piece. */
  readonly position: string | undefined;
  /** How long the server wants a client to wait before it comes back, ms. */
  readonly retryMs: number | undefined;
}

/** A longer line is no event of ours. */
const lineMaxLength = 1_000_000;

/** Reads server-sent events piece by piece, wherever the pieces were cut. Holds the beginning of one event at most. */
export class EventStreamParser {
  private rest = "";
  private id = "";
  private type = "";
  private data: string[] = [];

  push(piece: string): Parsed {
    const events: StreamEvent[] = [];
    let [position, retryMs]: [string | undefined, number | undefined] = [undefined, undefined];
    // A carriage return at the end may be half of a line's end.
    const text = this.rest + piece;
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? "";
    if (this.rest.length > lineMaxLength) throw new Error("an event of the stream has no end");
    for (const line of lines) {
      if (line === "") {
        if (this.data.length > 0) events.push({ id: this.id, type: this.type || "message", data: this.data.join("\n") });
        [this.type, this.data] = ["", []];
        continue;
      }
      const { field, value } = fieldOf(line);
      if (field === "id" && !value.includes("\0")) position = this.id = value;
      else if (field === "event") this.type = value;
      else if (field === "data") this.data.push(value);
      else if (field === "retry" && /^\d+$/.test(value)) retryMs = Number(value);
    }
    return { events, position, retryMs };
  }
}

/** A line without a colon is a field without a value; one that begins with it is a comment. */
function fieldOf(line: string): { field: string; value: string } {
  const colon = line.indexOf(":");
  if (colon < 0) return { field: line, value: "" };
  return { field: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, "") };
}
