import { expect, it } from "vitest";
import { mediaHeaders } from "../../../../router/media/media-headers.js";

const headersOf = (mimetype: string, name = ""): Readonly<Record<string, string>> =>
  mediaHeaders({ size: 1, mimetype, etag: "e", fileKey: "f", name });

it("always sends the headers under which a browser runs nothing", () => {
  expect(headersOf("image/jpeg")).toEqual({
    "Content-Type": "image/jpeg",
    "Content-Disposition": "inline",
    "Accept-Ranges": "bytes",
    "Cache-Control": "public, max-age=86400",
    ETag: '"e"',
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
  });
});

it.each([
  ["video/mp4", "video/mp4", "inline"],
  ["AUDIO/OGG", "audio/ogg", "inline"],
  ["image/webp", "image/webp", "inline"],
  ["application/pdf", "application/pdf", "attachment"],
  ["text/html", "application/octet-stream", "attachment"],
  ["application/xhtml+xml", "application/octet-stream", "attachment"],
  ["image/svg+xml", "application/octet-stream", "attachment"],
  ["text/xml", "application/octet-stream", "attachment"],
  ["text/javascript", "application/octet-stream", "attachment"],
  ["image/jpeg\r\nX-Evil: 1", "application/octet-stream", "attachment"],
  ["image/jpeg; charset=x", "application/octet-stream", "attachment"],
  ["", "application/octet-stream", "attachment"],
])("sends %j as %s, %s", (mimetype, type, kind) => {
  expect([headersOf(mimetype)["Content-Type"], headersOf(mimetype)["Content-Disposition"]]).toEqual([type, kind]);
});

it.each([
  ["film.mp4", 'inline; filename="film.mp4"'],
  ['a"b\\c/d\r\nSet-Cookie: x', 'inline; filename="abcdSet-Cookie: x"'],
  ["фильм (1).mp4", `inline; filename="_____ (1).mp4"; filename*=UTF-8''%D1%84%D0%B8%D0%BB%D1%8C%D0%BC%20%281%29.mp4`],
  [`${"x".repeat(119)}\u{1f600}`, `inline; filename="${"x".repeat(119)}"`],
  ["  ", "inline"],
])("names the file %j", (name, expected) => {
  expect(headersOf("video/mp4", name)["Content-Disposition"]).toBe(expected);
});
