import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { chosenCoding, type Coding } from "./accept-encoding.js";
import type { HeaderReader } from "./request.js";
import type { JsonAnswer } from "./response.js";

export interface CompressionLimits {
  /** Answers that are packed at once, each by a thread of Node's pool, which has four for all work. */
  readonly atOnce: number;
  /** Of answers that are packed or wait for it; what comes past it goes out as it is. */
  readonly bytes: number;
}

export type CompressionOutcome = Coding | "busy" | "failed";

/** Packs answers that are worth it for callers that read that, off the event loop. */
export class Compressor {
  private running = 0;
  private bytes = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly limits: CompressionLimits,
    private readonly onOutcome: (outcome: CompressionOutcome) => void,
  ) {}

  /** The answer to send: packed, or as it is. Never rejects. */
  async compress(answer: JsonAnswer, asked: Pick<HeaderReader, "get">): Promise<JsonAnswer> {
    if (answer.status !== 200 || answer.text.length < worthBytes) return answer;
    const headers = { ...answer.headers, Vary: "Accept-Encoding" };
    const coding = chosenCoding(asked.get("accept-encoding"));
    if (coding === undefined) return { ...answer, headers };
    const coded = await this.packed(Buffer.from(answer.text), coding);
    return coded === undefined ? { ...answer, headers } : { ...answer, headers: { ...headers, "Content-Encoding": coding }, coded };
  }

  private async packed(bytes: Buffer, coding: Coding): Promise<Buffer | undefined> {
    if (this.bytes + bytes.length > this.limits.bytes) {
      this.onOutcome("busy");
      return undefined;
    }
    this.bytes += bytes.length;
    if (this.running < this.limits.atOnce) this.running += 1;
    else await new Promise<void>((resolve) => void this.waiting.push(resolve));
    try {
      const packed = await pack[coding](bytes);
      this.onOutcome(coding);
      return packed;
    } catch {
      // No memory for it: the answer is as good as it is.
      this.onOutcome("failed");
      return undefined;
    } finally {
      this.bytes -= bytes.length;
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
    }
  }
}

/** Below that the headers of the packed form cost about what it saves. */
const worthBytes = 1_024;

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);

/** Of a list of 10,000 members (788 KB) brotli at 2 makes 142 KB in 4 ms, gzip at 4 makes 152 KB in 7 ms; higher ones take twice the time for a few percent. */
const pack: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => brotlied(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes) => gzipped(bytes, { level: 4 }),
};
