export interface ServerSentEvent {
  /** The stream's position behind it. */
  readonly id: string;
  readonly name: string;
  readonly data: string;
}

/** Reads a stream of events line by line, as browsers do (WHATWG HTML, "Server-sent events"). */
export class EventReader {
  /** Where to go on after a break; told by events and by what keeps a quiet stream open. */
  lastId: string | undefined;
  /** How long to wait before coming back, as the stream wishes, ms. */
  retryMs: number | undefined;
  private name = "";
  private readonly data: string[] = [];

  constructor(lastId?: string) {
    this.lastId = lastId;
  }

  /** The event that this line completes. */
  take(line: string): ServerSentEvent | undefined {
    if (line === "") return this.complete();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") this.lastId = value;
    else if (field === "event") this.name = value;
    else if (field === "data") this.data.push(value);
    else if (field === "retry" && /^\d+$/.test(value)) this.retryMs = Number(value);
    return undefined;
  }

  private complete(): ServerSentEvent | undefined {
    const [name, data] = [this.name, this.data.splice(0).join("\n")];
    this.name = "";
    return data === "" ? undefined : { id: this.lastId ?? "", name: name === "" ? "message" : name, data };
  }
}
