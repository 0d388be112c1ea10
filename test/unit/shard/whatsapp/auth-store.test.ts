import { initAuthCreds, type AuthenticationCreds } from "@whiskeysockets/baileys";
import crypto from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { UnreadableRecord } from "../../../../shared/session/unreadable-record.js";
import { AuthStore } from "../../../../shard/whatsapp/auth-store.js";
import { toJsonBytes } from "../../../../shard/whatsapp/keys/json-bytes.js";
import { packJson } from "../../../../shard/whatsapp/keys/packed-json.js";

const aStore = (credentials?: Buffer) => {
  const kept = { credentials, writes: 0, cleared: 0 };
  const context = {
    credentials: {
      read: async <T>(parse: (bytes: Buffer) => T | undefined) => {
        const parsed = kept.credentials === undefined ? undefined : parse(kept.credentials);
        if (kept.credentials !== undefined && parsed === undefined) throw new UnreadableRecord("credentials");
        return parsed;
      },
      write: async (bytes: Buffer) => {
        kept.writes += 1;
        kept.credentials = bytes;
      },
      clear: async () => void (kept.credentials = undefined),
    },
    secrets: { getMany: async () => [], apply: async () => undefined, clear: async () => void (kept.cleared += 1) },
  };
  return { kept, auth: new AuthStore(context) };
};
const paired = (): AuthenticationCreds => ({
  ...initAuthCreds(),
  me: { id: "628:1@s.whatsapp.net", name: "G" },
  account: { details: Buffer.from("d") },
});

describe("AuthStore", () => {
  it("gives paired credentials back, bytes as bytes", async () => {
    const creds = paired();
    const { auth } = aStore(packJson(toJsonBytes(creds)));
    await auth.load();
    expect(auth.paired).toBe(true);
    expect(Buffer.from(auth.creds.noiseKey.private)).toEqual(Buffer.from(creds.noiseKey.private));
    auth.dropUnfinished();
    expect(auth.creds.me?.id).toBe("628:1@s.whatsapp.net");
  });
  it("creates a new device's keys when a connection requests them, and none for a stored login: thousands of sessions open in one turn", async () => {
    const stored = packJson(toJsonBytes(paired()));
    const made = vi.spyOn(crypto, "generateKeyPairSync");
    try {
      const registered = aStore(stored).auth;
      await registered.load();
      registered.dropUnfinished();
      expect(registered.creds.noiseKey).toBeDefined();
      const fresh = aStore().auth;
      await fresh.load();
      fresh.dropUnfinished();
      await fresh.persist();
      expect(made).not.toHaveBeenCalled();
      expect(fresh.creds.noiseKey).toBe(fresh.creds.noiseKey);
      expect(made).toHaveBeenCalled();
    } finally {
      made.mockRestore();
    }
  });
  it("registers again after an unfinished pairing code, for the same phone", async () => {
    const { auth } = aStore(
      packJson(toJsonBytes({ ...initAuthCreds(), pairingCode: "ABCD1234", me: { id: "6281234@s.whatsapp.net", name: "~" } })),
    );
    await auth.load();
    expect(auth.paired).toBe(false);
    auth.dropUnfinished();
    expect(auth.creds.me).toBeUndefined();
    expect(auth.pairingPhone).toBe("6281234");
  });
  it("takes what it cannot read for no device of its own, and not for none either: nothing is registered in its place", async () => {
    const { auth, kept } = aStore(Buffer.from("{}"));
    await expect(auth.load()).rejects.toThrow("stored credentials cannot be opened");
    expect(kept.credentials).toEqual(Buffer.from("{}"));
  });
  it("writes nothing for an unregistered device, and merges changes that arrive during a write", async () => {
    const { auth, kept } = aStore();
    await auth.persist();
    expect(kept.writes).toBe(0);
    Object.assign(auth.creds, paired());
    await Promise.all([auth.persist(), auth.persist(), auth.persist()]);
    expect(kept.writes).toBe(1);
    await auth.forget();
    expect(kept).toMatchObject({ credentials: undefined, cleared: 1 });
    expect(auth.paired).toBe(false);
  });
});
