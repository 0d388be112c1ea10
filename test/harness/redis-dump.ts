import type { RedisClient } from "../../shared/redis/connect.js";

/** One text stored in Redis: a key's name, a field's name, or a value. */
export interface Stored {
  readonly key: string;
  /** Field that holds the value, in a hash or a stream; otherwise empty. */
  readonly field: string;
  /** One character per byte. */
  readonly text: string;
}

/** Returns all texts in a Redis, including names. */
export async function dump(redis: RedisClient): Promise<Stored[]> {
  const all = (await redis.keys("*")).sort();
  return (await Promise.all(all.map((key) => contents(redis, key)))).flat();
}

async function contents(redis: RedisClient, key: string): Promise<Stored[]> {
  const stored = (text: Buffer, field = ""): Stored => ({ key, field, text: text.toString("latin1") });
  const name = stored(Buffer.from(key));
  switch (await redis.type(key)) {
    case "string":
      return [name, ...[await redis.getBuffer(key)].flatMap((value) => (value === null ? [] : [stored(value)]))];
    case "hash":
      return [
        name,
        ...Object.entries(await redis.hgetallBuffer(key)).flatMap(([field, value]) => [stored(Buffer.from(field)), stored(value, field)]),
      ];
    case "list":
      return [name, ...(await redis.lrangeBuffer(key, 0, -1)).map((value) => stored(value))];
    case "set":
      return [name, ...(await redis.smembersBuffer(key)).map((value) => stored(value))];
    case "zset":
      return [name, ...(await redis.zrangeBuffer(key, "0", "-1")).map((value) => stored(value))];
    case "stream":
      return [
        name,
        ...(await redis.xrangeBuffer(key, "-", "+")).flatMap(([, fields]) =>
          fields.map((value, index) => stored(value, index % 2 === 0 ? "" : (fields[index - 1]?.toString() ?? ""))),
        ),
      ];
    default:
      return [name];
  }
}

/** Returns which of these texts can be read in Redis, and where: in plain text, or as base64 or hex. */
export async function findings(redis: RedisClient, texts: readonly string[]): Promise<string[]> {
  const all = await dump(redis);
  const together = all.map(({ text }) => text).join("\n");
  return texts.flatMap((text) => {
    const forms = formsOf(text);
    const form = forms.find((one) => occurs(together, one));
    if (form === undefined) return [];
    const where = all.find((stored) => occurs(stored.text, form));
    return [`${text} in ${where?.key ?? ""} ${where?.field ?? ""}`];
  });
}

/** A short text counts only as a whole word, because six given letters occur by chance among millions of random ones. */
function occurs(all: string, form: string): boolean {
  if (form.length >= 8) return all.includes(form);
  for (let at = all.indexOf(form); at >= 0; at = all.indexOf(form, at + 1))
    if (!wordy.test(all.charAt(at - 1)) && !wordy.test(all.charAt(at + form.length))) return true;
  return false;
}

const wordy = /[A-Za-z0-9]/;

function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  return [
    ...new Set([
      bytes.toString("latin1"),
      Buffer.from(JSON.stringify(text).slice(1, -1)).toString("latin1"),
      bytes.toString("hex"),
      ...base64Forms(bytes),
    ]),
  ];
}

/**
 * Returns the base64 forms of a text inside a longer encoded text: one for each of three offsets, without the characters shared with its
 * neighbours.
 */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const whole = encoded.slice(Math.ceil((shift * 8) / 6), -1);
    return whole.length < 8 ? [] : [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
