import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import sharp, { type Metadata, type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { plainPicture } from "../../../../../../shard/files/image/metadata/plain-picture.js";
import { pngChunk, textBomb, withChunks } from "./png-parts.js";

type Format = "jpeg" | "png" | "webp";

const size = { width: 40, height: 20 };
const aPicture = (): Sharp => sharp({ create: { ...size, channels: 3, background: "#c04020" } });
const plain = (bytes: Uint8Array, format: string): Buffer => Buffer.from(plainPicture(bytes, `image/${format}`).bytes);
const pixels = (bytes: Buffer): Promise<Buffer> => sharp(bytes).raw().toBuffer();
const metadataOf = (bytes: Buffer): Promise<Metadata> => sharp(bytes).metadata();

describe.each<Format>(["jpeg", "png", "webp"])("a picture of type %s", (format) => {
  it("that holds nothing but pixels stays the same bytes", async () => {
    const bytes = await aPicture()[format]().toBuffer();
    expect(plainPicture(bytes, `image/${format}`).bytes).toBe(bytes);
  });

  it("loses EXIF and XMP, and keeps its orientation and colours", async () => {
    const bytes = await aPicture()
      .withExif({ IFD0: { Copyright: "someone" }, IFD3: { GPSLatitudeRef: "N" } })
      .withMetadata({ orientation: 6, icc: "p3" })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${"secret".repeat(1_000)}</x:xmpmeta>`)
      [format]()
      .toBuffer();
    const stripped = plain(bytes, format);
    const { xmp, orientation, icc, width, height } = await metadataOf(stripped);
    expect({ xmp, orientation, width, height }).toEqual({ xmp: undefined, orientation: 6, ...size });
    expect(icc).toEqual((await metadataOf(bytes)).icc);
    expect(stripped.includes("someone") || stripped.includes("secret")).toBe(false);
    expect(await pixels(stripped)).toEqual(await pixels(bytes));
  });

  it("loses a colour profile of more than 1 MiB", async () => {
    const bytes = await aPicture()[format]().toBuffer();
    const profile = Buffer.alloc(3 * 1024 * 1024);
    const large = withProfile(format, bytes, profile);
    expect(plain(large, format).length).toBeLessThan(1.1 * 1024 * 1024);
    expect(await pixels(plain(large, format))).toEqual(await pixels(bytes));
  });

  it("ends in some picture or none, never in an endless loop, wherever it is cut or changed", async () => {
    const bytes = await aPicture().withMetadata({ orientation: 3 })[format]().toBuffer();
    for (let end = 0; end < bytes.length; end += 3) expect(plain(bytes.subarray(0, end), format).length).toBeLessThanOrEqual(end + 64);
    for (let at = 0; at < bytes.length; at += 2) {
      const changed = Buffer.from(bytes);
      changed[at] = 0xff;
      expect(plain(changed, format).length).toBeLessThanOrEqual(bytes.length + 64);
    }
    for (let round = 0; round < 50; round++) plain(Buffer.concat([bytes.subarray(0, 33), randomBytes(400)]), format);
  });
});

function withProfile(format: Format, bytes: Buffer, profile: Buffer): Buffer {
  switch (format) {
    case "png":
      return withChunks(bytes, [pngChunk("iCCP", Buffer.concat([Buffer.from("p\0\0", "latin1"), deflateSync(profile)]))]);
    case "jpeg": {
      const parts = Array.from({ length: 48 }, (_, index) => {
        const data = Buffer.concat([Buffer.from(`ICC_PROFILE\0`, "latin1"), Buffer.from([index + 1, 48]), profile.subarray(0, 65_000)]);
        return Buffer.concat([Buffer.from([0xff, 0xe2, (data.length + 2) >> 8, (data.length + 2) & 0xff]), data]);
      });
      return Buffer.concat([bytes.subarray(0, 2), ...parts, bytes.subarray(2)]);
    }
    case "webp": {
      const head = Buffer.alloc(8);
      head.write("ICCP", "latin1");
      head.writeUInt32LE(profile.length, 4);
      return Buffer.concat([bytes, head, profile]);
    }
  }
}

it("of a JPEG no comments, thumbnails or bytes between the segments stay", async () => {
  const bytes = await aPicture().jpeg().toBuffer();
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0x10, 0x02]), Buffer.alloc(0x1000, "c")]);
  const stripped = plain(Buffer.concat([bytes.subarray(0, 2), comment, Buffer.from("extraneous"), bytes.subarray(2)]), "jpeg");
  expect(stripped).toEqual(bytes);
});

it("of a PNG no text of any kind stays, nor the frames of an animation", async () => {
  const bytes = await aPicture().png().toBuffer();
  const chunks = ["tEXt", "zTXt", "iTXt", "tIME", "acTL", "fcTL", "eXIf", "zzZz"].map((name) => pngChunk(name, Buffer.alloc(200, 97)));
  expect(plain(withChunks(bytes, [...chunks, textBomb()]), "png")).toEqual(bytes);
  expect(plain(bytes.subarray(0, -12), "png")).toEqual(bytes);
});

it("of a GIF the first frame stays alone", async () => {
  const frame = sharp({ create: { ...size, channels: 3, background: "#c04020" } }).gif();
  const still = await frame.toBuffer();
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe]), Buffer.from([3]), Buffer.from("abc"), Buffer.from([0])]);
  const body = still.subarray(13 + 3 * 2 ** (((still[10] ?? 0) & 7) + 1), -1);
  const long = Buffer.concat([still.subarray(0, -1), comment, body, body, Buffer.from([0x3b])]);
  expect(plain(long, "gif").length).toBeLessThanOrEqual(still.length);
  expect(await pixels(plain(long, "gif"))).toEqual(await pixels(still));
});

it.each<[string, string, Buffer]>([
  [
    "a million empty chunks",
    "png",
    withChunks(Buffer.alloc(33), [Buffer.concat(Array<Buffer>(1_000_000).fill(pngChunk("IDAT", Buffer.alloc(0))))]),
  ],
  ["a million markers", "jpeg", Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(4_000_000, Buffer.from([0xff, 0xfe, 0, 2]))])],
  [
    "two million chunks",
    "webp",
    Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBP"), Buffer.alloc(16_000_000, Buffer.from("ABCD\0\0\0\0", "latin1"))]),
  ],
])("%s of type %s cost little", (_, format, bytes) => {
  const cpu = process.cpuUsage();
  plain(bytes, format);
  const { user, system } = process.cpuUsage(cpu);
  expect((user + system) / 1e6).toBeLessThan(2);
});
