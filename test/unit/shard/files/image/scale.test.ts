import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import runRenderTask from "../../../../../shard/files/image/image-worker.js";
import { textBomb, withChunks } from "./metadata/png-parts.js";
import type { RenderResult, ScaledImage } from "../../../../../shard/files/image/render-task.js";

const story = { maxSide: 1080, quality: 90 };
const scale = (source: Uint8Array | string): Promise<RenderResult> => runRenderTask({ name: "scale-image", input: { source, ...story } });

async function scaled(source: Uint8Array | string): Promise<ScaledImage> {
  const result = await scale(source);
  if (!result.ok || result.output instanceof Uint8Array) throw new Error(`not scaled: ${JSON.stringify(result)}`);
  return result.output;
}

const aPicture = (width: number, height: number, background = "#c04020"): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

async function pixel(bytes: Uint8Array, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray((y * info.width + x) * info.channels, (y * info.width + x) * info.channels + info.channels)];
}

/** Returns a PNG whose header claims `width` x `height`. It has all of its data only when `whole` is set. */
function pngClaiming(width: number, height: number, bits: number, colourType: number, whole = false): Buffer {
  const chunk = (name: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = bits;
  head[9] = colourType;
  const rows = whole ? Buffer.alloc(height * (1 + Math.ceil((width * bits) / 8))) : Buffer.alloc(10);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns an animation that repeats one picture `frames` times: small as a file, huge when decoded. */
async function animatedWebp(side: number, frames: number): Promise<Buffer> {
  const still = (await aPicture(side, side).webp().toBuffer()).subarray(12);
  const size = Buffer.alloc(6);
  size.writeUIntLE(side - 1, 0, 3);
  size.writeUIntLE(side - 1, 3, 3);
  const chunk = (name: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    return Buffer.concat([Buffer.from(name), length, data]);
  };
  const frame = chunk("ANMF", Buffer.concat([Buffer.alloc(6), size, Buffer.from([100, 0, 0, 0]), still]));
  const body = [Buffer.from("WEBP"), chunk("VP8X", Buffer.concat([Buffer.from([2, 0, 0, 0]), size])), chunk("ANIM", Buffer.alloc(6))];
  return chunk("RIFF", Buffer.concat([...body, ...Array.from({ length: frames }, () => frame)]));
}

describe("a picture that would only grow", () => {
  const kept = async (source: Buffer, keepsSmaller = true): Promise<boolean> => {
    const result = await runRenderTask({ name: "scale-image", input: { source, ...story, keepsSmaller } });
    if (!result.ok || result.output instanceof Uint8Array) throw new Error("not scaled");
    expect(result.output.mimetype).toBe(
      result.output.bytes === source && source.subarray(1, 4).toString() === "PNG" ? "image/png" : "image/jpeg",
    );
    return result.output.bytes === source;
  };
  const noisy = (): Sharp =>
    sharp({ create: { width: 300, height: 200, channels: 3, background: "red", noise: { type: "gaussian", mean: 128, sigma: 40 } } });

  it("stays unchanged if requested", async () => {
    const small = await noisy().jpeg({ quality: 20 }).toBuffer();
    expect(await kept(small)).toBe(true);
    expect(await kept(small, false)).toBe(false);
    expect(await kept(await aPicture(300, 200).png({ palette: true }).toBuffer())).toBe(true);
  });

  it.each<[string, () => Promise<Buffer>]>([
    ["is larger than what comes out", () => noisy().jpeg({ quality: 100 }).toBuffer()],
    ["has more pixels than allowed", () => noisy().resize(1200, 800).jpeg({ quality: 5 }).toBuffer()],
    ["lies on its side", () => noisy().withMetadata({ orientation: 6 }).jpeg({ quality: 20 }).toBuffer()],
    [
      "says where it was taken",
      () =>
        noisy()
          .withExif({ IFD3: { GPSLatitudeRef: "N" } })
          .jpeg({ quality: 20 })
          .toBuffer(),
    ],
    [
      "can be seen through",
      () =>
        sharp({ create: { width: 300, height: 200, channels: 4, background: "#ff000080" } })
          .png()
          .toBuffer(),
    ],
    ["has the colours of a printer", () => noisy().toColourspace("cmyk").jpeg({ quality: 20 }).toBuffer()],
    ["is a WebP", () => noisy().webp({ quality: 1 }).toBuffer()],
  ])("is created again when it %s", async (_, make) => {
    expect(await kept(await make())).toBe(false);
  });
});

describe("a picture for a story", () => {
  it.each<[string, number, number, number, number]>([
    ["landscape", 4000, 3000, 1080, 810],
    ["portrait", 1500, 3000, 540, 1080],
    ["as large as allowed", 1080, 1080, 1080, 1080],
    ["small: never enlarged", 200, 100, 200, 100],
    ["a line", 5000, 1, 1080, 1],
  ])("%s", async (_name, width, height, expectedWidth, expectedHeight) => {
    for (const format of ["jpeg", "png", "webp"] as const) {
      const output = await scaled(await aPicture(width, height)[format]().toBuffer());
      expect([output.width, output.height]).toEqual([expectedWidth, expectedHeight]);
      expect(await sharp(output.bytes).metadata()).toMatchObject({
        format: "jpeg",
        width: expectedWidth,
        height: expectedHeight,
        space: "srgb",
      });
    }
  });

  it("is read from a file as well", async () => {
    const folder = await mkdtemp(join(tmpdir(), "scale-test-"));
    await writeFile(join(folder, "a"), await aPicture(2000, 1000).png().toBuffer());
    expect(await scaled(join(folder, "a"))).toMatchObject({ width: 1080, height: 540 });
    expect(await scale(join(folder, "none"))).toMatchObject({ ok: false });
    await rm(folder, { recursive: true });
  });

  it("stands upright and keeps no metadata", async () => {
    const left = await aPicture(200, 200, "#0000ff").png().toBuffer();
    const sideways = await aPicture(400, 200, "#ff0000")
      .composite([{ input: left, left: 0, top: 0 }])
      .withExif({ IFD0: { Copyright: "someone" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const output = await scaled(sideways);
    expect([output.width, output.height]).toEqual([200, 400]);
    // The picture is turned 90 degrees to the right, so its left side is now on top.
    expect((await pixel(output.bytes, 100, 20))[2]).toBeGreaterThan(200);
    expect((await pixel(output.bytes, 100, 380))[0]).toBeGreaterThan(200);
    const { exif, icc, xmp, iptc, orientation } = await sharp(output.bytes).metadata();
    expect([exif, icc, xmp, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it("has white where it was transparent", async () => {
    const clear = await sharp({ create: { width: 100, height: 100, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer();
    expect(await pixel((await scaled(clear)).bytes, 50, 50)).toEqual([255, 255, 255]);
  });

  it("comes from CMYK, 16 bits, grey and the first frame of a small animation", async () => {
    const cmyk = await aPicture(300, 200).toColourspace("cmyk").jpeg().toBuffer();
    const deep = await aPicture(300, 200).toColourspace("rgb16").png().toBuffer();
    const grey = await aPicture(300, 200).greyscale().png().toBuffer();
    for (const source of [cmyk, deep, grey]) {
      const output = await scaled(source);
      expect(await sharp(output.bytes).metadata()).toMatchObject({ format: "jpeg", width: 300, height: 200, depth: "uchar" });
    }
    const [red = 0, green = 0] = await pixel((await scaled(deep)).bytes, 10, 10);
    expect(Math.abs(red - 0xc0) + Math.abs(green - 0x40)).toBeLessThan(8);
    expect(await scaled(await animatedWebp(100, 3))).toMatchObject({ width: 100, height: 100 });
  });
});

const noise = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: "red", noise: { type: "gaussian", mean: 128, sigma: 40 } } });

/** 108 megapixels. */
const largeJpeg = (options: { progressive?: boolean } = {}): Promise<Buffer> =>
  aPicture(12_000, 9_000)
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 30, ...options })
    .toBuffer();

/** Returns a phone's picture, as far as its container says. */
function heic(): Buffer {
  const brand = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1");
  return Buffer.concat([brand, Buffer.from("\0\0\0\x0cmeta\0\0\0\0", "latin1"), Buffer.alloc(200, 7)]);
}

/** Returns a picture that is red above blue. */
function aBmp(width: number, height: number, bits: number, compression = 0, whole = true): Buffer {
  const palette = bits <= 8 ? Buffer.from([255, 0, 0, 0, 0, 0, 255, 0]) : Buffer.alloc(0);
  const masks = compression === 3 ? Buffer.from([0, 0xf8, 0, 0, 0xe0, 7, 0, 0, 0x1f, 0, 0, 0]) : Buffer.alloc(0);
  const head = Buffer.alloc(54);
  head.write("BM", "latin1");
  head.writeUInt32LE(54 + palette.length + masks.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  if (!whole) return Buffer.concat([head, Buffer.alloc(100)]);
  const pixel: Record<number, [top: Buffer, bottom: Buffer]> = {
    1: [Buffer.from([0xff]), Buffer.from([0])],
    4: [Buffer.from([0x11]), Buffer.from([0])],
    8: [Buffer.from([1]), Buffer.from([0])],
    16: compression === 3 ? [Buffer.from([0, 0xf8]), Buffer.from([0x1f, 0])] : [Buffer.from([0, 0x7c]), Buffer.from([0x1f, 0])],
    24: [Buffer.from([0, 0, 255]), Buffer.from([255, 0, 0])],
    32: [Buffer.from([0, 0, 255, 0]), Buffer.from([255, 0, 0, 0])],
  };
  const [top = Buffer.alloc(0), bottom = Buffer.alloc(0)] = pixel[bits] ?? [];
  const stride = Math.ceil((width * bits) / 32) * 4;
  const rows = Array.from({ length: height }, (_, y) => Buffer.alloc(stride, y < height / 2 ? bottom : top));
  return Buffer.concat([head, masks, palette, ...rows]);
}

describe("pictures of other formats", () => {
  const halves = (): Sharp =>
    aPicture(60, 40, "#ff0000").composite([
      { input: { create: { width: 60, height: 20, channels: 3, background: "#0000ff" } }, left: 0, top: 20 },
    ]);
  it.each<[string, () => Promise<Buffer> | Buffer]>([
    ["GIF", () => halves().gif().toBuffer()],
    ["TIFF", () => halves().tiff({ compression: "lzw" }).toBuffer()],
    ["AVIF", () => halves().avif({ quality: 90 }).toBuffer()],
    ["BMP of 1 bit", () => aBmp(60, 40, 1)],
    ["BMP of 4 bits", () => aBmp(60, 40, 4)],
    ["BMP of 8 bits", () => aBmp(60, 40, 8)],
    ["BMP of 16 bits", () => aBmp(60, 40, 16)],
    ["BMP of 16 bits by masks", () => aBmp(60, 40, 16, 3)],
    ["BMP of 24 bits", () => aBmp(60, 40, 24)],
    ["BMP of 32 bits", () => aBmp(60, 40, 32)],
  ])("%s becomes a JPEG", async (_, make) => {
    const output = await scaled(await make());
    expect(output).toMatchObject({ mimetype: "image/jpeg", width: 60, height: 40, original: { width: 60, height: 40 } });
    const [red = 0, , blueAbove = 0] = await pixel(output.bytes, 30, 8);
    const [redBelow = 0, , blue = 0] = await pixel(output.bytes, 30, 32);
    expect(Math.min(red, blue)).toBeGreaterThan(220);
    expect(Math.max(blueAbove, redBelow)).toBeLessThan(40);
  });

  it("a JPEG of 108 megapixels is shrunk as it is read", async () => {
    const source = await largeJpeg();
    const before = process.memoryUsage().rss;
    expect(await scaled(source)).toMatchObject({ width: 810, height: 1080, original: { width: 9_000, height: 12_000 } });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });
});

describe("a picture that every viewer shows", () => {
  const jpeg = (): Promise<Buffer> => noise(300, 200).jpeg().toBuffer();
  const at = (bytes: Buffer, marker: number): number => bytes.indexOf(Buffer.from([0xff, marker]));
  it.each<[string, () => Promise<Buffer>]>([
    [
      "with odd parameters of its scan",
      async () => {
        const bytes = await jpeg();
        // After the components come spectral selection and approximation, which only progressive files need.
        bytes.set([0, 0, 0], at(bytes, 0xda) + 11);
        return bytes;
      },
    ],
    [
      "with bytes between its segments",
      async () => {
        const bytes = await jpeg();
        const table = at(bytes, 0xc0);
        return Buffer.concat([bytes.subarray(0, table), Buffer.from("extraneous"), bytes.subarray(table)]);
      },
    ],
    ["with bytes before its end", async () => Buffer.concat([(await jpeg()).subarray(0, -2), Buffer.from([1, 2, 3, 0xff, 0xd9])])],
    ["with bytes behind its end", async () => Buffer.concat([await jpeg(), Buffer.alloc(5_000, "x")])],
    ["without its end mark", async () => (await jpeg()).subarray(0, -2)],
    ["as a PNG without its end", async () => (await noise(300, 200).png().toBuffer()).subarray(0, -12)],
    [
      "as a PNG whose text has a wrong sum",
      async () => withChunks(await noise(300, 200).png().toBuffer(), [Buffer.from("\0\0\0\x05tEXta\0abcXXXX", "latin1")]),
    ],
  ])("%s is scaled, with its size", async (_, make) => {
    expect(await scaled(await make())).toMatchObject({ width: 300, height: 200, original: { width: 300, height: 200 } });
  });
});

describe("metadata that expands when it is read", () => {
  const bombs: [string, () => Buffer][] = [
    ["texts", () => Buffer.concat(Array<Buffer>(20).fill(textBomb()))],
    ["international texts", () => Buffer.concat(Array<Buffer>(20).fill(textBomb("iTXt")))],
    ["a colour profile", () => textBomb("iCCP")],
  ];
  it.each(bombs)("costs nothing in a PNG, as %s", async (_, make) => {
    const bomb = withChunks(await aPicture(8, 8).png().toBuffer(), [make()]);
    const cpu = process.cpuUsage();
    expect(await scaled(bomb)).toMatchObject({ width: 8, height: 8 });
    const { user, system } = process.cpuUsage(cpu);
    expect((user + system) / 1e6).toBeLessThan(0.5);
  });
});

describe("what is refused", () => {
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><image href="file:///etc/passwd"/></svg>`);
  it.each<[string, () => Promise<Uint8Array> | Uint8Array, string]>([
    ["SVG", () => svg, "unsupported image format"],
    ["XML before SVG", () => Buffer.concat([Buffer.from(`<?xml version="1.0"?>`), svg]), "unsupported image format"],
    ["HEIC", () => heic(), "unsupported image format"],
    ["half a GIF", async () => (await noise(300, 300).gif().toBuffer()).subarray(0, 20_000), "image is damaged"],
    ["half a BMP", () => aBmp(20, 20, 24).subarray(0, 700), "image is damaged"],
    ["a BMP with lengths", () => aBmp(20, 20, 8, 1), "unsupported image format"],
    ["50 gigapixels of BMP", () => aBmp(2 ** 20, 50_000, 1, 0, false), "image is too large"],
    ["a large progressive JPEG", () => largeJpeg({ progressive: true }), "image is too large"],
    ["a PNG of 64 megapixels", () => pngClaiming(8_000, 8_000, 8, 2), "image is too large"],
    ["PDF", () => Buffer.from("%PDF-1.7\n"), "unsupported image format"],
    ["text", () => Buffer.from("hello"), "unsupported image format"],
    ["nothing", () => Buffer.alloc(0), "unsupported image format"],
    [
      "TIFF behind a JPEG's first bytes",
      async () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), await aPicture(10, 10).tiff().toBuffer()]),
      "image is damaged",
    ],
    [
      "a JPEG whose data are noise from its beginning on",
      async () =>
        Buffer.concat([(await noise(1600, 1200).jpeg().toBuffer()).subarray(0, 900), Buffer.alloc(2_000, "\xff\xd8broken", "latin1")]),
      "image is damaged",
    ],
    ["half a JPEG", async () => (await aPicture(2000, 2000).jpeg().toBuffer()).subarray(0, 9000), "image is damaged"],
    [
      "half a PNG",
      async () =>
        (
          await sharp({
            create: { width: 900, height: 900, channels: 3, background: "red", noise: { type: "gaussian", mean: 99, sigma: 30 } },
          })
            .png()
            .toBuffer()
        ).subarray(0, 99_000),
      "image is damaged",
    ],
    ["half a WebP", async () => (await aPicture(900, 900).webp().toBuffer()).subarray(0, 200), "image is damaged"],
    ["268 megapixels in a small PNG", () => pngClaiming(16_384, 16_384, 1, 0, true), "image is too large"],
    ["2.5 gigapixels of one bit", () => pngClaiming(50_000, 50_000, 1, 0), "image is too large"],
    ["49 megapixels of 64 bits", () => pngClaiming(7_000, 7_000, 16, 6), "image is too large"],
    ["240 megapixels of animation", () => animatedWebp(2000, 60), "image is too large"],
  ])("%s", async (_name, make, fault) => {
    const source = await make();
    const [cpu, before] = [process.cpuUsage(), process.memoryUsage().rss];
    expect(await scale(source)).toMatchObject({ ok: false, fault });
    const { user, system } = process.cpuUsage(cpu);
    expect((user + system) / 1e6).toBeLessThan(2);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it("cannot be read by sharp itself either, from bytes or from a file", async () => {
    await expect(sharp(svg).png().toBuffer()).rejects.toThrow();
  });
});

describe("a sticker", () => {
  const sticker = async (source: Buffer): Promise<ScaledImage> => {
    const result = await runRenderTask({ name: "scale-image", input: { source, maxSide: 512, quality: 80, asSticker: true } });
    if (!result.ok || result.output instanceof Uint8Array) throw new Error(`not made: ${JSON.stringify(result)}`);
    return result.output;
  };

  it.each([
    ["a wide picture", 900, 300],
    ["a small picture", 30, 90],
    ["a square", 512, 512],
  ])("of %s is a transparent square of 512 pixels", async (_, width, height) => {
    const made = await sticker(await aPicture(width, height).png().toBuffer());
    expect(made).toMatchObject({ mimetype: "image/webp", width: 512, height: 512, original: { width, height } });
    expect(await sharp(made.bytes).metadata()).toMatchObject({ format: "webp", width: 512, height: 512 });
    const [, , , corner = 255] = await pixel(made.bytes, 0, 0);
    if (width !== height) expect(corner).toBe(0);
    const [red = 0, , , middle = 255] = await pixel(made.bytes, 256, 256);
    expect([Math.abs(red - 0xc0) < 12, middle]).toEqual([true, 255]);
  });

  it("of a noisy picture has at most 100 KiB", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 90 } as const;
    const source = await sharp({ create: { width: 512, height: 512, channels: 3, background: "red", noise } })
      .png()
      .toBuffer();
    expect((await sticker(source)).bytes.length).toBeLessThanOrEqual(100 * 1024);
  });
});
