import { fetchUnredirected } from "../../../shared/flow/fetch-unredirected.js";
import { CliError, exitCodes } from "../exit-code.js";
import type { Address } from "./address.js";
import { NoResponse, reasonOf, Refusal, sentenceOf } from "./refusal.js";

export interface GatewayRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path after the origin. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Deadline for the whole response, or for the headers of a stream. */
  readonly timeoutMs?: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

const timeoutDefaultMs = 30_000;

/** Client for one gateway with one API key. */
export class GatewayClient {
  /** Keys that the gateway has not rejected yet. */
  private readonly keys: string[];

  constructor(
    readonly address: Address,
    private readonly signal: AbortSignal,
  ) {
    this.keys = [...address.keys];
  }

  /** Returns the parsed response. Throws a `Refusal`, a `NoResponse`, or a sentence if the response is not from a matching gateway. */
  async request<T>(request: GatewayRequest, is: (body: unknown) => body is T): Promise<T> {
    const { timeoutMs = timeoutDefaultMs } = request;
    const end = AbortSignal.timeout(timeoutMs);
    const response = await this.open(request, end);
    const body = parsed(await this.read(response, end));
    if (is(body)) return body;
    throw new CliError(`unexpected response from ${this.address.origin}; check that the gateway and the CLI have the same version`);
  }

  /** Returns a response whose body is read as it arrives. */
  async stream(request: GatewayRequest): Promise<Response> {
    const end = new AbortController();
    const late = setTimeout(() => end.abort(new DOMException("", "TimeoutError")), request.timeoutMs ?? timeoutDefaultMs);
    try {
      return await this.open(request, end.signal);
    } finally {
      clearTimeout(late);
    }
  }

  /** Returns a successful response; retries a 401 with the next key. */
  private async open(request: GatewayRequest, end: AbortSignal): Promise<Response> {
    const [key, next] = this.keys;
    const response = await this.fetch(request, key, end);
    if (response.ok) return response;
    const sentence = sentenceOf(await this.read(response, end), response.statusText);
    if (response.status === 401 && next !== undefined) {
      this.keys.shift();
      return await this.open(request, end);
    }
    if (response.status === 401 && key === undefined)
      throw new CliError("no API key; set TRUNKLINE_KEY or TRUNKLINE_KEY_FILE, or use --key-file", exitCodes.refused);
    throw new Refusal(response.status, sentence, response.headers.get("x-request-id") ?? "");
  }

  private async fetch(
    { method = "GET", path, query = {}, body, headers = {}, signal }: GatewayRequest,
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
    // Following a redirect would send the key to another server.
    return await this.within(() => fetchUnredirected(url, init));
  }

  private read(response: Response, end: AbortSignal): Promise<string> {
    return this.within(async () => {
      const text = await response.text();
      end.throwIfAborted();
      return text;
    });
  }

  private async within<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.signal.throwIfAborted();
      throw new NoResponse(this.address.origin, reasonOf(error), error);
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
