/** Takes over the bytes of a chunk, which never change afterwards. */
export type TakeChunk = (bytes: Buffer) => void;

/**
 * Hands chunks from the shard to the router of the same process, which would otherwise read them back from the cache Redis. The cache gets
 * them too, for other routers and for later.
 */
export class LocalChunks {
  /** Bounded by the chunks that the router requests at once. */
  private readonly expected = new Map<string, TakeChunk>();

  /** Calls `take` if the shard fetches this chunk before the returned function is called. A later call for the same chunk replaces it. */
  expect(fileKey: string, chunk: number, take: TakeChunk): () => void {
    const name = nameOf(fileKey, chunk);
    this.expected.set(name, take);
    return () => {
      if (this.expected.get(name) === take) this.expected.delete(name);
    };
  }

  /** Hands over a chunk that the shard has fetched, if the router expects it. */
  offer(fileKey: string, chunk: number, bytes: Buffer): void {
    this.expected.get(nameOf(fileKey, chunk))?.(bytes);
  }
}

function nameOf(fileKey: string, chunk: number): string {
  return `${fileKey}:${chunk}`;
}
