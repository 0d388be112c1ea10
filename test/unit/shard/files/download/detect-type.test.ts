import sharp from "sharp";
import { expect, it } from "vitest";
import { detectBytes, detectType } from "../../../../../shard/files/download/detect-type.js";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

it.each<[string, Buffer, string | undefined]>([
  ["a page", latin1("\n <!DOCTYPE html><html>"), "text/html"],
  ["a page with a byte order mark", latin1("\xef\xbb\xbf<html lang=en>"), "text/html"],
  ["a page of a heading alone", latin1("<h1>Not Found</h1>"), "text/html"],
  ["a page behind a comment", latin1("<!-- moved --><p>here</p>"), "text/html"],
  ["XHTML", latin1('<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>'), "text/html"],
  ["a page of UTF-16", Buffer.from("\ufeff<html><body>Gone", "utf16le"), "text/html"],
  ["an error of S3", latin1('<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>'), "text/xml"],
  ["XML without its head", latin1("<Error><Code>NoSuchKey</Code></Error>"), "text/xml"],
  ["a drawing", latin1('<?xml version="1.0"?>\n<svg xmlns="x"/>'), "image/svg+xml"],
  ["an object", latin1('{"error":"not found"}'), "application/json"],
  ["an object over lines", latin1('\n{\n  "statusCode": 404 }'), "application/json"],
  ["a list", latin1('[{"a":1}]'), "application/json"],
  ["text", latin1("Not Found"), "text/plain"],
  ["text that begins like a bitmap", latin1("BM is a short form of many things"), "text/plain"],
  ["text of another alphabet", Buffer.from("файл не найден"), "text/plain"],
  ["a PDF", latin1("%PDF-1.4\n1 0 obj"), "application/pdf"],
  ["RTF", latin1("{\\rtf1\\ansi hello}"), "application/rtf"],
  ["an archive", Buffer.concat([latin1("PK\u0003\u0004\u0014\0\0\0"), Buffer.alloc(60)]), "application/zip"],
  ["sound with a tag", Buffer.concat([latin1("ID3\u0004\0\0\0\0\0\0"), Buffer.alloc(40)]), "audio/mpeg"],
  ["a sound without a tag", Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(60)]), "audio/mpeg"],
  ["sound of an MP4", Buffer.concat([latin1("\0\0\0\x1cftypM4A \0\0\0\0"), Buffer.alloc(40)]), "audio/mp4"],
  ["a film", Buffer.concat([latin1("\0\0\0\x18ftypisom\0\0\0\0"), Buffer.alloc(40)]), "video/mp4"],
  ["a picture of a phone", Buffer.concat([latin1("\0\0\0\x18ftypheic\0\0\0\0"), Buffer.alloc(40)]), "image/heic"],
  ["unknown data", Buffer.from([1, 2, 3, 4, 5]), undefined],
  ["nothing", Buffer.alloc(0), undefined],
])("%s", async (_, bytes, type) => {
  expect(await detectType(bytes)).toBe(type);
});

it.each(["jpeg", "png", "webp", "gif", "tiff", "avif"] as const)("a picture of type %s, by its first bytes", async (format) => {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const bytes = await sharp({ create: { width: 200, height: 200, channels: 3, background: "red", noise } })
    .toFormat(format)
    .toBuffer();
  expect(await detectType(bytes.subarray(0, detectBytes))).toBe(`image/${format}`);
});
