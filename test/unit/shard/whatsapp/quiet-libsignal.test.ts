import { expect, it, vi } from "vitest";
import { silentLog } from "../../../../shared/log/logger.js";
import { createWhatsAppAdapter } from "../../../../shard/whatsapp/whatsapp-adapter.js";
import { testEgress } from "../../../harness/egress.js";
import { testRefs } from "../../../harness/test-refs.js";

const unused = (): never => {
  throw new Error("nothing is sent here");
};

it("drops what libsignal prints and nothing else", async () => {
  const printed: unknown[][] = [];
  const info = vi.spyOn(globalThis.console, "info").mockImplementation((...args: unknown[]) => void printed.push(args));
  // A shard creates adapters like this: each one quiets the library, and several must not conflict.
  for (let adapters = 0; adapters < 2; adapters += 1)
    createWhatsAppAdapter({
      images: { scaleImage: unused, thumbnail: unused, sticker: unused, square: unused },
      videos: { read: unused },
      downloads: { download: unused },
      links: { fileUrl: unused, thumbUrl: unused },
      refs: testRefs("whatsapp"),
      media: { chunks: { put: unused, length: unused }, tenantOf: unused, links: { openAddress: unused } },
      egress: testEgress(),
      log: silentLog,
    });
  // The module has no types.
  const module = "libsignal/src/session_record.js";
  const { default: SessionRecord } = (await import(module)) as {
    default: { prototype: { openSession(this: object, session: object): void } };
  };
  const session = { indexInfo: { closed: 1, baseKey: Buffer.alloc(32) } };
  SessionRecord.prototype.openSession.call({ isClosed: () => true }, session);
  expect(session.indexInfo.closed).toBe(-1);
  expect(printed).toEqual([]);
  globalThis.console.info("Opening session of the parliament");
  expect(printed).toEqual([["Opening session of the parliament"]]);
  info.mockRestore();
});
