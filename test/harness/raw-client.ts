import { once } from "node:events";
import { connect, type Socket } from "node:net";

/**
 * Client of one connection that reads only on demand, and can disconnect at any byte. An error of the connection counts as the end of the
 * bytes.
 */
export class RawClient {
  private constructor(readonly socket: Socket) {
    socket.on("error", () => undefined);
  }

  static async open(base: string): Promise<RawClient> {
    const client = new RawClient(connect(Number(new URL(base).port), "127.0.0.1"));
    await once(client.socket, "connect");
    return client;
  }

  /** `headers` are complete lines. */
  send(path: string, headers: readonly string[] = [], method = "GET"): this {
    this.socket.write([`${method} ${path} HTTP/1.1`, "Host: x", ...headers, "", ""].join("\r\n"));
    return this;
  }

  /** Returns the next `count` bytes, or fewer if the connection ends first. Further bytes stay in the socket buffers. */
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

  /** Returns the status line and headers of the next response; empty if the connection ends instead. */
  async head(): Promise<string> {
    let text = "";
    while (!text.endsWith("\r\n\r\n")) {
      const byte = await this.read(1);
      if (byte.length === 0) return "";
      text += byte.toString("latin1");
    }
    return text;
  }

  /** Returns all remaining bytes until the connection ends. */
  rest(): Promise<Buffer> {
    return this.read(Infinity);
  }

  /** Closes the connection normally. */
  close(): void {
    this.socket.destroy();
  }

  /** Closes the connection with a reset. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Closes the sending side and keeps reading. */
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
