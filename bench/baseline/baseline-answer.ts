/** What a baseline answers to every request, byte for byte what the product answers. */
export interface BaselineAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is; with `ranged` the whole file, of which each request gets the range that it names, with its `Content-Range`. */
  readonly body: Uint8Array;
  readonly ranged?: boolean;
  /** Reads a session as the router does before each answer, and answers without looking at it. */
  readonly reads?: { readonly redisUrl: string; readonly session: string };
  /** Each request gets the one chunk that its range names, read for it from the value `<keyPrefix><number of the chunk>`. */
  readonly values?: { readonly redisUrl: string; readonly keyPrefix: string; readonly fileBytes: number };
}

export type BaselineMessage = { readonly kind: "start"; readonly answer: BaselineAnswer } | { readonly kind: "cpu" };
