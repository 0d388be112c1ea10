import { Api } from "telegram";
import bigInt from "big-integer";
import { describe, expect, test } from "vitest";
import { extensionOf } from "../../../../shard/files/media/extension.js";
import { fileOfMessage, largestSizes, pickSize, thumbSizes, videoThumbSizes } from "../../../../shard/telegram/media/media-file.js";

const size = (type: string, w: number): Api.PhotoSize => new Api.PhotoSize({ type, w, h: w, size: w * 10 });
const photo = new Api.Photo({
  id: bigInt(77),
  accessHash: bigInt(1),
  fileReference: Buffer.from([1]),
  date: 1,
  dcId: 2,
  sizes: [
    new Api.PhotoStrippedSize({ type: "i", bytes: Buffer.from([1]) }),
    size("m", 320),
    size("x", 800),
    new Api.PhotoSizeProgressive({ type: "w", w: 2560, h: 2560, sizes: [1, 5, 9_999] }),
  ],
});
const message = (media: Api.TypeMessageMedia): Api.Message =>
  new Api.Message({ id: 5, peerId: new Api.PeerUser({ userId: bigInt(1) }), date: 1, message: "", media });

describe("sizes", () => {
  test("the largest for a photo, about 800 for its thumbnail, 320 for a video's", () => {
    expect(pickSize(photo.sizes, largestSizes)).toMatchObject({ type: "w", length: 9_999 });
    expect(pickSize(photo.sizes, thumbSizes)).toMatchObject({ type: "x", length: 8_000 });
    expect(pickSize(photo.sizes, videoThumbSizes)).toMatchObject({ type: "m" });
  });
  test("the next smaller when the wanted one is missing, a larger one only at last", () => {
    expect(pickSize([size("s", 100), size("m", 320)], thumbSizes)?.type).toBe("m");
    expect(pickSize([size("w", 2560)], thumbSizes)?.type).toBe("w");
    expect(pickSize([new Api.PhotoStrippedSize({ type: "i", bytes: Buffer.alloc(1) })], largestSizes)).toBeUndefined();
  });
});

describe("files of a message", () => {
  test("variants have keys and tags of their own", () => {
    const [whole, thumb] = [
      fileOfMessage(message(new Api.MessageMediaPhoto({ photo })), "photo"),
      fileOfMessage(message(new Api.MessageMediaPhoto({ photo })), "thumb"),
    ];
    expect(whole?.description).toMatchObject({ size: 9_999, mimetype: "image/jpeg" });
    expect(whole?.description.fileKey).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set([whole, thumb].flatMap((file) => [file?.description.fileKey, file?.description.etag])).size).toBe(4);
    expect(fileOfMessage(message(new Api.MessageMediaPhoto({ photo })), "file")).toBeUndefined();
  });
  test("the same file has the same key in every message", () => {
    const again = new Api.Photo({ ...photo, fileReference: Buffer.from([2]), accessHash: bigInt(9) });
    const key = (one: Api.Photo): string | undefined =>
      fileOfMessage(message(new Api.MessageMediaPhoto({ photo: one })), "photo")?.description.fileKey;
    expect(key(again)).toBe(key(photo));
  });
  test("a text has none", () => {
    expect(fileOfMessage(message(new Api.MessageMediaEmpty()), "photo")).toBeUndefined();
  });
});

test.each([
  ["video/mp4", "", "mp4"],
  ["IMAGE/JPEG", "x.png", "jpg"],
  ["application/x-custom", "report.XYZ", "xyz"],
  ["application/x-custom", "no extension", "bin"],
  ["application/x-custom", "bad.ext/../", "bin"],
  ["", "", "bin"],
])("extension of %j %j is %s", (mimetype, name, expected) => {
  expect(extensionOf(mimetype, name)).toBe(expected);
});
