/** What a baseline answers to every request, byte for byte what the product answers. */
export interface BaselineAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Reads a session as the router does before each answer, and answers without looking at it. */
  readonly reads?: { readonly redisUrl: string; readonly session: string };
}

export type BaselineMessage = { readonly kind: "start"; readonly answer: BaselineAnswer } | { readonly kind: "cpu" };
