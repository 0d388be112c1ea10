/** Converts a script's reply, with texts as bytes, into a typed value. Throws for any other reply. */
export type Decode<Reply> = (reply: unknown) => Reply;

type Decoders<Replies extends readonly unknown[]> = { readonly [Index in keyof Replies]: Decode<Replies[Index]> };

export const integer: Decode<number> = (reply) => (typeof reply === "number" ? reply : refuse(reply));

export const bytes: Decode<Buffer> = (reply) => (Buffer.isBuffer(reply) ? reply : refuse(reply));

export const text: Decode<string> = (reply) => bytes(reply).toString();

/** For a field that was never written. */
export const textOrNull: Decode<string | null> = (reply) => (reply === null ? null : text(reply));

export const bytesOrNull: Decode<Buffer | null> = (reply) => (reply === null ? null : bytes(reply));

export function literal<Literal extends string | number>(...literals: readonly Literal[]): Decode<Literal> {
  return (reply) => {
    const text = Buffer.isBuffer(reply) ? reply.toString() : reply;
    return literals.find((literal) => literal === text) ?? refuse(reply);
  };
}

export function list<Item>(item: Decode<Item>): Decode<Item[]> {
  return (reply) => (Array.isArray(reply) ? reply.map((each: unknown) => item(each)) : refuse(reply));
}

export function tuple<Items extends readonly unknown[]>(...items: Decoders<Items>): Decode<Items>;
export function tuple(...items: readonly Decode<unknown>[]): Decode<readonly unknown[]> {
  return (reply) => {
    if (!Array.isArray(reply) || reply.length !== items.length) return refuse(reply);
    return items.map((decode, index) => decode(reply[index]));
  };
}

/** Returns the first decoded value that fits. */
export function oneOf<Replies extends readonly unknown[]>(...decoders: Decoders<Replies>): Decode<Replies[number]>;
export function oneOf(...decoders: readonly Decode<unknown>[]): Decode<unknown> {
  return (reply) => {
    for (const decode of decoders) {
      try {
        return decode(reply);
      } catch (error) {
        if (!(error instanceof UnknownReply)) throw error;
      }
    }
    return refuse(reply);
  };
}

/** The script and its caller are of different versions. The message shows nothing of the reply, which may be a secret. */
export class UnknownReply extends Error {
  override readonly name = "UnknownReply";
}

function refuse(reply: unknown): never {
  throw new UnknownReply(`script answered with ${Array.isArray(reply) ? `a list of ${reply.length}` : typeof reply}`);
}
