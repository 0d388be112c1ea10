/** One event of a stream. */
export interface StreamedEvent {
  readonly id: string;
  readonly name: string;
  readonly data: Record<string, unknown>;
}

/** Client of server-sent events that keeps every event and records the end of the stream. */
export class EventStream {
  readonly events: StreamedEvent[] = [];
  /** Last event id in the stream. */
  lastId = "";
  text = "";
  ended = false;
  private readonly leave = new AbortController();

  private constructor(readonly status: number) {}

  /** Resolves when the stream has sent its position. Rejects with the response's text if the status is not 200. */
  static async open(url: string, headers: Record<string, string>): Promise<EventStream> {
    const leave = new AbortController();
    const response = await fetch(url, { headers, signal: leave.signal });
    const stream = new EventStream(response.status);
    stream.leave.signal.addEventListener("abort", () => leave.abort());
    if (response.status !== 200 || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
    let opened: () => void = () => undefined;
    const opening = new Promise<void>((resolve) => (opened = resolve));
    void stream.read(response.body.pipeThrough(new TextDecoderStream()), opened);
    await opening;
    return stream;
  }

  close(): void {
    this.leave.abort();
  }

  private async read(body: ReadableStream<string>, opened: () => void): Promise<void> {
    try {
      for await (const part of body) {
        this.text += part;
        this.take();
        opened();
      }
    } catch {
      // The connection was cut or closed.
    }
    this.ended = true;
    opened();
  }

  private take(): void {
    for (let end = this.text.indexOf("\n\n"); end >= 0; end = this.text.indexOf("\n\n")) {
      const fields = new Map(
        this.text
          .slice(0, end)
          .split("\n")
          .map((line) => [line.split(": ")[0] ?? "", line.slice(line.indexOf(": ") + 2)]),
      );
      this.text = this.text.slice(end + 2);
      this.lastId = fields.get("id") ?? this.lastId;
      const data = fields.get("data");
      if (data !== undefined)
        this.events.push({ id: fields.get("id") ?? "", name: fields.get("event") ?? "", data: JSON.parse(data) as StreamedEvent["data"] });
    }
  }
}
