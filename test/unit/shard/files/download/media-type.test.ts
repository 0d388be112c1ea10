import { describe, expect, it } from "vitest";
import { judgeType, type FileKind } from "../../../../../shard/files/download/media-type.js";

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

describe("a type that is accepted", () => {
  it.each<[FileKind, string, string | undefined, string]>([
    ["image", "image/jpeg", "image/jpeg", "image/jpeg"],
    ["image", "IMAGE/JPEG", "image/jpeg", "IMAGE/JPEG"],
    ["image", "image/jpg", "image/jpeg", "image/jpeg"],
    ["image", "image/*", "image/jpeg", "image/jpeg"],
    ["image", "image/jpeg", "image/png", "image/png"],
    ["video", "video/mp4", "video/mp4", "video/mp4"],
    ["video", "video/mp4", "video/quicktime", "video/quicktime"],
    ["video", "video/mp4", undefined, "video/mp4"],
    ["audio", "audio/mp4", "audio/mpeg", "audio/mpeg"],
    ["audio", "audio/mp3", "audio/mpeg", "audio/mpeg"],
    ["audio", "audio/ogg; codecs=opus", "audio/ogg", "audio/ogg; codecs=opus"],
    ["audio", "audio/mp4", "video/mp4", "audio/mp4"],
    ["audio", "audio/mpeg", "video/webm", "audio/webm"],
    ["audio", "audio/basic", undefined, "audio/basic"],
    ["document", "application/pdf", "application/pdf", "application/pdf"],
    ["document", "application/x-pdf", "application/pdf", "application/pdf"],
    ["document", "application/octet-stream", "application/pdf", "application/pdf"],
    ["document", "application/octet-stream", "text/plain", "application/octet-stream"],
    ["document", "application/octet-stream", undefined, "application/octet-stream"],
    ["document", docx, "application/zip", docx],
    ["document", "application/pdf", "application/zip", "application/zip"],
    ["document", "application/msword", "application/x-cfb", "application/msword"],
    ["document", "application/msword", docx, docx],
    ["document", "application/vnd.android.package-archive", "application/java-archive", "application/vnd.android.package-archive"],
    ["document", "application/vnd.ms-excel", "text/html", "application/vnd.ms-excel"],
    ["document", "text/html", "text/html", "text/html"],
    ["document", "text/csv", "text/plain", "text/csv"],
    ["document", "application/json", "application/json", "application/json"],
    ["document", "application/gpx+xml", "text/xml", "application/gpx+xml"],
    ["document", "image/jpeg", "image/png", "image/png"],
    ["document", "application/x-of-my-own", "image/jpeg", "application/x-of-my-own"],
    ["document", "image/svg+xml", "image/svg+xml", "image/svg+xml"],
  ])("%s %s of %s: %s", (kind, mimetype, found, expected) => {
    expect(judgeType(kind, { mimetype, name: "file" }, found)).toEqual({ kind: "accepted", mimetype: expected });
  });
});

describe("what is refused", () => {
  it.each<[FileKind, string, string | undefined, string]>([
    ["image", "application/octet-stream", "image/jpeg", "mimetype application/octet-stream does not fit the file, found image/jpeg"],
    ["image", "text/html", "image/jpeg", "mimetype text/html does not fit the file, found image/jpeg"],
    ["image", "video/mp4", "image/jpeg", "mimetype video/mp4 does not fit the file, found image/jpeg"],
    ["image", "image/jpeg", "text/html", "unsupported image format, found text/html"],
    ["image", "image/jpeg", "image/svg+xml", "unsupported image format, found image/svg+xml"],
    ["image", "image/jpeg", undefined, "unsupported image format, found unknown data"],
    ["video", "video/mp4", "application/json", "unsupported video format, found application/json"],
    ["video", "video/mp4", "image/gif", "unsupported video format, found image/gif"],
    ["audio", "audio/mpeg", "text/plain", "unsupported audio format, found text/plain"],
    ["audio", "audio/mpeg", "application/json", "unsupported audio format, found application/json"],
    ["audio", "video/mp4", "audio/mpeg", "mimetype video/mp4 does not fit the file, found audio/mpeg"],
    ["document", "application/pdf", "text/html", "the document is no application/pdf, found text/html"],
    ["document", "application/pdf", "application/json", "the document is no application/pdf, found application/json"],
    ["document", "application/pdf", "text/xml", "the document is no application/pdf, found text/xml"],
    ["document", "application/pdf", "text/plain", "the document is no application/pdf, found text/plain"],
    ["document", docx, "text/html", `the document is no ${docx}, found text/html`],
    ["document", "application/vnd.ms-excel", "application/json", "the document is no application/vnd.ms-excel, found application/json"],
    ["document", "application/pdf", "image/png", "mimetype application/pdf does not fit the file, found image/png"],
    ["document", "text/plain", "application/pdf", "mimetype text/plain does not fit the file, found application/pdf"],
    ["document", "image/png", "application/zip", "mimetype image/png does not fit the file, found application/zip"],
    ["audio", "audio/mpeg", "application/pdf", "unsupported audio format, found application/pdf"],
  ])("%s %s of %s: %s", (kind, mimetype, found, why) => {
    expect(judgeType(kind, { mimetype, name: "file" }, found)).toMatchObject({ why });
  });

  it.each([
    "image/jp\r\neg",
    "image/jpeg\r\n",
    "image/jpeg\r\nX-Evil: 1",
    "jpeg",
    "image/",
    "/jpeg",
    "image/jpeg;",
    " image/jpeg",
    "image/jpeg/x",
  ])("the malformed type %j", (mimetype) => {
    for (const kind of ["image", "document"] as const)
      expect(judgeType(kind, { mimetype, name: "file" }, "image/jpeg")).toEqual({
        kind: "misfit",
        why: "mimetype is malformed, found image/jpeg",
      });
  });

  it("an error page that a caller declares as any bytes, or as the page that it is, in the place of a document", () => {
    for (const mimetype of ["application/octet-stream", "text/html"])
      expect(judgeType("document", { mimetype, name: "invoice.pdf" }, "text/html")).toMatchObject({
        why: "the document is no application/pdf, found text/html",
      });
  });
});
