import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A client of one connection that reads only what it is told to, and can leave at any byte. Trouble of the connection is an end of the bytes, not an error. */
export class RawClient {
  private constructor(readonly socket: Socket) {
    socket.on("error", () => undefined);
  }

  static async open(base: string): Promise<RawClient> {
    const client = new RawClient(connect(Number(new URL(base).port), "127.0.0.1"));
    await once(client.socket, "connect");
    return client;
  }

  /** `headers`: whole lines. */
  ask(path: string, headers: readonly string[] = [], method = "GET"): this {
    this.socket.write([`${method} ${path} HTTP/1.1`, "Host: x", ...headers, "", ""].join("\r\n"));
    return this;
  }

  /** The next `count` bytes, fewer when the connection ends before. What was not asked for stays in the sockets. */
  async read(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = count; left > 0; ) {
      const part = this.socket.read(Math.min(left, this.socket.readableLength)) as Buffer | null;
      if (part !== null) parts.push(part);
      left -= part?.length ?? 0;
      if (part === null && (this.socket.readableEnded || this.socket.destroyed)) break;
      if (part === null) await this.stirred();
    }
    return Buffer.concat(parts);
  }

  /** Status line and headers of the next answer; empty when the connection ends instead. */
  async head(): Promise<string> {
    let text = "";
    while (!text.endsWith("\r\n\r\n")) {
      const byte = await this.read(1);
      if (byte.length === 0) return "";
      text += byte.toString("latin1");
    }
    return text;
  }

  /** Everything that is still to come, until the connection ends. */
  rest(): Promise<Buffer> {
    return this.read(Infinity);
  }

  /** Leaves in the usual way. */
  close(): void {
    this.socket.destroy();
  }

  /** Leaves with a reset. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Says that nothing more will be asked, and goes on reading. */
  halfClose(): void {
    this.socket.end();
  }

  private async stirred(): Promise<void> {
    const left = new AbortController();
    await Promise.race(
      ["readable", "end", "close"].map((event) => once(this.socket, event, { signal: left.signal }).catch(() => undefined)),
    );
    left.abort();
  }
}
