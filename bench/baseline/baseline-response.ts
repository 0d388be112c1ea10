/** The response of a baseline to every request, byte for byte that of the product. */
export interface BaselineResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The response body. With `ranged` it is the whole file, and each request gets its range of it with a `Content-Range`. */
  readonly body: Uint8Array;
  readonly ranged?: boolean;
  /** Reads a session from Redis before each response, as the router does, and ignores the result. */
  readonly reads?: { readonly redisUrl: string; readonly session: string };
  /** Each request gets the chunk of its range, read from the key `<keyPrefix><number of the chunk>`. */
  readonly values?: { readonly redisUrl: string; readonly keyPrefix: string; readonly fileBytes: number };
}

export type BaselineMessage = { readonly kind: "start"; readonly response: BaselineResponse } | { readonly kind: "cpu" };
