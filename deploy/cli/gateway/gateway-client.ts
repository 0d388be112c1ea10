import { fetchUnredirected } from "../../../shared/flow/fetch-unredirected.js";
import { CliError, exitCodes } from "../exit-code.js";
import type { Address } from "./address.js";
import { NoAnswer, reasonOf, Refusal, sentenceOf } from "./refusal.js";

export interface Ask {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** From the origin on. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** To the end of the answer; of a stream to its head. */
  readonly timeoutMs?: number;
  /** Breaks it off. */
  readonly signal?: AbortSignal;
}

const timeoutDefaultMs = 30_000;

/** One gateway, asked with one key. */
export class GatewayClient {
  /** Those that were not refused yet. */
  private readonly keys: string[];

  constructor(
    readonly address: Address,
    private readonly signal: AbortSignal,
  ) {
    this.keys = [...address.keys];
  }

  /** Throws a `Refusal`, `NoAnswer`, or a sentence when what answers is no gateway of this kind. */
  async ask<T>(ask: Ask, is: (body: unknown) => body is T): Promise<T> {
    const { timeoutMs = timeoutDefaultMs } = ask;
    const end = AbortSignal.timeout(timeoutMs);
    const answer = await this.open(ask, end);
    const body = parsed(await this.read(answer, end));
    if (is(body)) return body;
    throw new CliError(`unexpected response from ${this.address.origin}; check that the gateway and the CLI have the same version`);
  }

  /** An answer that is read as it comes. */
  async stream(ask: Ask): Promise<Response> {
    const end = new AbortController();
    const late = setTimeout(() => end.abort(new DOMException("", "TimeoutError")), ask.timeoutMs ?? timeoutDefaultMs);
    try {
      return await this.open(ask, end.signal);
    } finally {
      clearTimeout(late);
    }
  }

  /** A success. */
  private async open(ask: Ask, end: AbortSignal): Promise<Response> {
    const [key, next] = this.keys;
    const answer = await this.fetch(ask, key, end);
    if (answer.ok) return answer;
    const sentence = sentenceOf(await this.read(answer, end), answer.statusText);
    if (answer.status === 401 && next !== undefined) {
      this.keys.shift();
      return await this.open(ask, end);
    }
    if (answer.status === 401 && key === undefined)
      throw new CliError("no API key; set TRUNKLINE_KEY or TRUNKLINE_KEY_FILE, or use --key-file", exitCodes.refused);
    throw new Refusal(answer.status, sentence, answer.headers.get("x-request-id") ?? "");
  }

  private async fetch(
    { method = "GET", path, query = {}, body, headers = {}, signal }: Ask,
    key: string | undefined,
    end: AbortSignal,
  ): Promise<Response> {
    const url = new URL(path, this.address.origin);
    for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") url.searchParams.set(name, value);
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const init = {
      method,
      headers: { ...headers, ...json, ...(key === undefined ? {} : { "x-api-key": key }) },
      signal: AbortSignal.any([this.signal, end, ...(signal === undefined ? [] : [signal])]),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    } satisfies RequestInit;
    // A redirect would take the key elsewhere.
    return await this.within(() => fetchUnredirected(url, init));
  }

  private read(answer: Response, end: AbortSignal): Promise<string> {
    return this.within(async () => {
      const text = await answer.text();
      end.throwIfAborted();
      return text;
    });
  }

  private async within<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.signal.throwIfAborted();
      throw new NoAnswer(this.address.origin, reasonOf(error), error);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
