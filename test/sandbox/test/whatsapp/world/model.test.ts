import { createHash, X509Certificate } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { openCertificate } from "../../../whatsapp/media/certificate.js";
import { MediaAuth } from "../../../whatsapp/media/media-auth.js";
import { MediaReader } from "../../../whatsapp/media/media-reader.js";
import { pathOf } from "../../../whatsapp/media/media-server.js";
import { maxUploadBytes, MediaStore, TooLarge } from "../../../whatsapp/media/media-store.js";
import { deviceHash } from "../../../whatsapp/world/device-hash.js";
import { contactPerson, memberPerson, personByLid, personByPhone } from "../../../whatsapp/world/person.js";
import { seededWorld } from "../../../whatsapp/world/seeded-world.js";
import { restoreWorld, worldRecords } from "../../../whatsapp/world/snapshot.js";
import type { World } from "../../../whatsapp/world/world.js";

const aWorld = (): World => seededWorld({ startedAt: 1_700_000_000, changed: () => undefined });

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "whatsapp-model-"));
  await use(folder).finally(() => rm(folder, { recursive: true }));
}

describe("people", () => {
  it("have a LID that leads back to their number", () => {
    for (const person of [
      contactPerson(0, 0),
      contactPerson(9_999, 9_999),
      memberPerson(12_345),
      personByPhone("999999999999999".replace(/^999/, "998")),
    ]) {
      expect(personByLid(person?.lid ?? "")).toEqual(person);
    }
  });

  it("are not behind numbers that nobody has", () => {
    for (const phone of ["99912345678", "0123456789", "12345", "abc", "1".repeat(16)]) expect(personByPhone(phone)).toBeUndefined();
    expect(personByLid("123")).toBeUndefined();
  });
});

describe("an account's devices", () => {
  // whatsmeow documents the hash of this one phone (notification.go, participantListHashV2).
  it("have the hash that clients compute", () => {
    expect(deviceHash({ phone: "6281155501001" }, [0])).toBe("2:BORvStUw");
    expect(deviceHash({ phone: "6281155501001" }, [2, 0, 1])).toBe(deviceHash({ phone: "6281155501001" }, [0, 1, 2]));
  });
});

describe("the world", () => {
  it("holds ten thousand accounts without making what nobody looks at", () => {
    const world = aWorld();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 10_000; n++) world.accounts.create({ account: `account-${n}`, custom: true });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
    const one = world.opened(world.account("account-9999"));
    const [group = ""] = one.groups;
    expect(world.group(group)?.size).toBe(21);
    expect(one.contacts.size).toBe(8);
  });

  it("finds an account's own chats again without having looked into the account", () => {
    const first = aWorld();
    const ids = [...first.opened(first.account("bob")).groups, ...first.account("bob").channels];
    const second = aWorld();
    for (const id of ids) expect((id.endsWith("@g.us") ? second.group(id) : second.channel(id))?.id).toBe(id);
  });

  it("comes back as it was left", () => {
    const world = aWorld();
    world.accounts.create({ account: "zoe", custom: true, pushName: "Zoë", linking: "passkey" });
    const bob = world.account("bob");
    bob.contacts.delete(contactPerson(1, 0).phone);
    bob.statusPrivacy = undefined;
    bob.changed = true;
    const channel = world.channel([...bob.channels][0] ?? "");
    channel?.add({ id: "A", type: "text", message: Buffer.of(1, 2, 3) });
    const stored: unknown[] = JSON.parse(JSON.stringify([...worldRecords(world)]));
    const again = aWorld();
    restoreWorld(again, stored);
    expect(again.account("zoe").options).toEqual(world.account("zoe").options);
    expect([...again.account("bob").contacts.keys()]).toEqual([...bob.contacts.keys()]);
    expect(again.account("bob").statusPrivacy).toBeUndefined();
    expect(again.channel(channel?.id ?? "")?.posts()).toEqual(channel?.posts());
    expect([...worldRecords(again)]).toEqual([...worldRecords(world)]);
  });
});

describe("media", () => {
  it("has a certificate that its own authority signed, and keeps it", async () => {
    await inFolder(async (folder) => {
      const made = await openCertificate(join(folder, "c.json"), "127.0.0.1");
      const [ca, cert] = [new X509Certificate(made.ca), new X509Certificate(made.cert)];
      expect(ca.ca).toBe(true);
      expect(cert.verify(ca.publicKey)).toBe(true);
      expect(cert.checkIP("127.0.0.1")).toBe("127.0.0.1");
      expect(cert.checkIssued(ca)).toBe(true);
      expect(await openCertificate(join(folder, "c.json"), "127.0.0.1")).toEqual(made);
      const elsewhere = await openCertificate(join(folder, "c.json"), "10.0.0.5");
      expect(new X509Certificate(elsewhere.cert).checkIP("10.0.0.5")).toBe("10.0.0.5");
      expect(new X509Certificate(elsewhere.cert).verify(new X509Certificate(elsewhere.ca).publicKey)).toBe(true);
    });
  });

  it("is kept under its hash, over restarts, and within bounds", async () => {
    await inFolder(async (folder) => {
      const bytes = Buffer.from("hello");
      const media = await (await MediaStore.open(folder)).put(Readable.from([bytes]));
      expect(media.sha256).toEqual(createHash("sha256").update(bytes).digest());
      const store = await MediaStore.open(folder);
      expect(store.get(media.sha256)).toEqual(media);
      const endless = Readable.from(
        (function* () {
          for (let n = 0; n <= maxUploadBytes / 1_048_576; n++) yield Buffer.alloc(1_048_576);
        })(),
      );
      await expect(store.put(endless)).rejects.toThrow(TooLarge);
    });
  });

  it("that is not what the message says is told apart", async () => {
    await inFolder(async (folder) => {
      const store = await MediaStore.open(folder);
      const media = await store.put(Readable.from([Buffer.alloc(42, 7)]));
      const reader = new MediaReader(store);
      const reference = { directPath: pathOf(media), fileSha256: media.sha256, fileLength: 42, mimetype: "audio/mpeg" };
      expect(await reader.read(reference, "audio")).toEqual({ sha256: media.sha256.toString("hex"), size: 42, mimetype: "audio/mpeg" });
      expect((await reader.read({ ...reference, fileLength: 41, fileSha256: Buffer.alloc(32) }, "audio")).problems).toHaveLength(2);
      expect(
        (await reader.read({ ...reference, mediaKey: Buffer.alloc(32), fileEncSha256: media.sha256 }, "audio")).problems,
      ).not.toHaveLength(0);
      expect((await reader.read({ ...reference, directPath: "/media/none" }, "audio")).problems).toEqual([
        "the file is not on the media server",
      ]);
      expect((await reader.read({ ...reference, directPath: "", url: "no address" }, "audio")).problems).toEqual([
        "the file is not on the media server",
      ]);
    });
  });

  it("is uploaded by whom the platform told how, until that expires", () => {
    const auth = new MediaAuth();
    const token = auth.token("alice");
    expect(auth.accountOf(token)).toBe("alice");
    expect(auth.accountOf(token.replace(/^[^.]+/, Buffer.from("bob").toString("base64url")))).toBeUndefined();
    auth.expire("alice");
    expect(auth.accountOf(token)).toBeUndefined();
  });
});
