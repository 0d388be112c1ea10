import { expect, it, vi } from "vitest";
import { quietLibsignal } from "../../../../shard/whatsapp/network/quiet-libsignal.js";

it("drops what libsignal prints and nothing else", async () => {
  const printed: unknown[][] = [];
  const info = vi.spyOn(globalThis.console, "info").mockImplementation((...args: unknown[]) => void printed.push(args));
  quietLibsignal();
  quietLibsignal();
  // Has no types.
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
