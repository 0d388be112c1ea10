import { createHash } from "node:crypto";
import type { WAMessage } from "@whiskeysockets/baileys";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunkBytes } from "../../../shared/limits.js";
import { describeFile } from "../../../shared/media/file-description.js";
import { splitFile, type OpenedLink } from "../../../shared/media/sealed-links.js";
import type { Session } from "../../../shard/session/session.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import { fileOf } from "../../../shard/whatsapp/media/message-file.js";
import { eventually } from "../../harness/eventually.js";
import { WhatsAppFixture } from "./fixture.js";

let platform: WhatsAppFixture;
let session: Session<WhatsAppConnector>;
/** Messages that arrived on the connection. */
const arrived: WAMessage[] = [];

beforeAll(async () => {
  platform = await WhatsAppFixture.start();
  ({ session } = await platform.login("alice"));
  session.connector.connected().sock.ev.on("messages.upsert", ({ messages }) => void arrived.push(...messages));
});
afterAll(() => platform.stop());

/** What the control API says of a file that a person has sent. */
interface SentFile {
  readonly messageId: string;
  readonly media: { readonly size: number; readonly sha256: string; readonly mimetype: string };
}

async function send(fields: Record<string, unknown>): Promise<SentFile> {
  const answer = await fetch(`${platform.sandbox.controlUrl}/people/send`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ platform: "whatsapp", account: "alice", ...fields }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as SentFile;
}

/** Returns the links of a message that arrived, opened as a router opens them. */
async function linksOf(id: string): Promise<{ file: OpenedLink | undefined; thumb: OpenedLink | undefined }> {
  const { key, message } = await eventually("the message", () => arrived.find((one) => one.key.id === id));
  const file = fileOf(message ?? {});
  if (file === undefined) throw new Error("the message has no file");
  const { links } = session.connector.services;
  const where = { chatId: key.remoteJid ?? "", messageId: id, author: key.participant ?? "", fromMe: key.fromMe === true };
  return {
    file: opened(links.fileUrl(session.connector.id, where, file)),
    thumb: opened(links.thumbUrl(session.connector.id, where, file)),
  };
}

function opened(url: string): OpenedLink | undefined {
  if (url === "") return undefined;
  const [, , , id = "", chatId = "", messageId = "", variant = "", last = ""] = new URL(url).pathname.split("/");
  return platform.media.links.open({ session: id, chatId, messageId, variant, ...splitFile(last) });
}

async function read(link: OpenedLink | undefined, chunk: number, length?: number): Promise<Buffer> {
  if (link === undefined) throw new Error("no link");
  const { fileKey, etag } = describeFile(link.facts, 0);
  const input = { ...link.address, fileKey, etag, chunk, ...(length !== undefined && { length }) };
  await platform.run(session, "read-chunk", input);
  return platform.media.chunks.get(`${fileKey}:${chunk}`) ?? Buffer.alloc(0);
}

const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

describe("received files", () => {
  it.each(["image", "video", "animation", "round", "audio", "voice", "sticker", "document"])(
    "reads the file of a received %s",
    async (media) => {
      const sent = await send({ media });
      const { file } = await linksOf(sent.messageId);
      expect(file?.facts).toMatchObject({ length: sent.media.size, mimetype: sent.media.mimetype.split(";")[0] });
      const parts: Buffer[] = [];
      for (let chunk = 0; chunk * chunkBytes < sent.media.size; chunk++) parts.push(await read(file, chunk));
      expect(hashOf(Buffer.concat(parts))).toBe(sent.media.sha256);
    },
  );

  it("reads the uploaded thumbnail", async () => {
    const { thumb } = await linksOf((await send({ media: "document" })).messageId);
    expect(thumb?.facts).toMatchObject({ kind: "thumbnail-document", length: 0 });
    expect((await read(thumb, 0)).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  });

  it.each(["video", "document"])("reads one chunk of a large %s, the last one first", async (media) => {
    const size = 3 * chunkBytes + 12_345;
    const sent = await send({ media, size });
    const { file } = await linksOf(sent.messageId);
    expect(file?.facts.sidecar.length).toBe(media === "video" ? 250 : 0);
    const last = await read(file, 3);
    const parts = [await read(file, 0), await read(file, 1), await read(file, 2), last];
    expect(last).toHaveLength(12_345);
    expect(hashOf(Buffer.concat(parts))).toBe(sent.media.sha256);
    await expect(read(file, 4)).rejects.toMatchObject({ status: 404, message: "media not found" });
  });

  it.each(["403", "404", "410"])("reads a file that the phone uploads again after a %s", async (error) => {
    const sent = await send({ media: "document", size: chunkBytes + 1_000 });
    const { file } = await linksOf(sent.messageId);
    await platform.control("/faults", { account: "alice", kind: "gone-media", error });
    const parts = await Promise.all([read(file, 0), read(file, 1)]);
    expect(hashOf(Buffer.concat(parts))).toBe(sent.media.sha256);
    platform.sandbox.whatsapp.control.clearFaults();
  });

  it("is 404 when neither the hosts nor the phone have the file", async () => {
    const { file } = await linksOf((await send({ media: "document", size: 1_000 })).messageId);
    await platform.control("/faults", { account: "alice", kind: "gone-media", method: "lacks" });
    await expect(read(file, 0)).rejects.toMatchObject({ status: 404, message: "media not found" });
    platform.sandbox.whatsapp.control.clearFaults();
  });

  it("refuses a link that this session's keys do not open, and one of another file", async () => {
    const { file } = await linksOf((await send({ media: "voice" })).messageId);
    if (file === undefined) throw new Error("no link");
    const sealed = `${file.address.sealed.slice(0, -8)}AAAA.ogg`;
    await expect(read({ ...file, address: { ...file.address, sealed } }, 0)).rejects.toMatchObject({ status: 404 });
    await expect(read({ ...file, facts: { ...file.facts, directPath: "/other" } }, 0)).rejects.toMatchObject({ status: 404 });
  });

  it("finds no file in a view-once message", async () => {
    const { messageId } = await send({ media: "image", viewOnce: true });
    const { message } = await eventually("the message", () => arrived.find((one) => one.key.id === messageId));
    expect(fileOf(message ?? {})).toBeUndefined();
  });
});
