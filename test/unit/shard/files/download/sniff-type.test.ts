import { expect, it } from "vitest";
import { sniffType } from "../../../../../shard/files/download/sniff-type.js";

it.each<[string, string | undefined]>([
  ["\xff\xd8\xff\xe0", "image/jpeg"],
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["RIFF\x10\0\0\0WEBPVP8 ", "image/webp"],
  ["RIFF\x10\0\0\0WAVEfmt ", "audio/wav"],
  ["RIFF\x10\0\0\0JUNK", undefined],
  ["GIF89a", "image/gif"],
  ["II*\0", "image/tiff"],
  ["\0\0\0\x18ftypheic", "image/heif"],
  ["\0\0\0\x18ftypavif", "image/avif"],
  ["\0\0\0\x18ftypisom", "video/mp4"],
  ["\0\0\0\x14ftypqt  ", "video/quicktime"],
  ["\0\0\0\x1cftypM4A ", "audio/mp4"],
  ["\x1aE\xdf\xa3\x9fB\x82\x84webm", "video/webm"],
  ["\x1aE\xdf\xa3\x9fB\x82\x88matroska", "video/x-matroska"],
  ["OggS", "audio/ogg"],
  ["ID3\x04", "audio/mpeg"],
  ["%PDF-1.7", "application/pdf"],
  ["<svg xmlns=", "image/svg+xml"],
  ["\n <!DOCTYPE html><html>", "text/html"],
  ["\xef\xbb\xbf<html lang=en>", "text/html"],
  ["<HEAD><TITLE>", "text/html"],
  ["<!-- moved -->", "text/html"],
  ['<?xml version="1.0"?>', "text/xml"],
  ["<3 you", undefined],
  ["a <html>", undefined],
  ["\xff\xd8", undefined],
  ["hello", undefined],
  ["", undefined],
])("%j is %s", (head, type) => {
  expect(sniffType(Buffer.from(head, "latin1"))).toBe(type);
});
