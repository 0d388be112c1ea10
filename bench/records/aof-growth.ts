import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RedisClient } from "../../shared/redis/connect.js";
import { commandsIn, type AofCommand } from "./aof-commands.js";

/** Measures what an append-only file gains from now until it is read. The file must not be rewritten meanwhile. */
export class AofGrowth {
  private constructor(
    private readonly file: string,
    private readonly from: number,
  ) {}

  static async begin(redis: RedisClient): Promise<AofGrowth> {
    const file = await growingFile(redis);
    return new AofGrowth(file, await sizeOf(file));
  }

  async commands(): Promise<AofCommand[]> {
    const handle = await open(this.file);
    try {
      const length = (await handle.stat()).size - this.from;
      const piece = Buffer.alloc(length);
      await handle.read(piece, 0, length, this.from);
      return commandsIn(piece);
    } finally {
      await handle.close();
    }
  }
}

/** Returns the last incremental file of Redis 7 and later. */
async function growingFile(redis: RedisClient): Promise<string> {
  const setting = async (name: string): Promise<string> => (await redis.config("GET", name))[1] ?? "";
  const folder = join(await setting("dir"), await setting("appenddirname"));
  const numberIn = (name: string): number => Number(/\.(\d+)\.incr\.aof$/.exec(name)?.[1] ?? Number.NaN);
  const files = (await readdir(folder)).filter((name) => !Number.isNaN(numberIn(name))).sort((a, b) => numberIn(a) - numberIn(b));
  const last = files.at(-1);
  if (last === undefined) throw new Error(`no append-only file in ${folder}`);
  return join(folder, last);
}

async function sizeOf(file: string): Promise<number> {
  const handle = await open(file);
  try {
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
