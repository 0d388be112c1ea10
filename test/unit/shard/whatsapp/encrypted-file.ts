import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { FileFacts } from "../../../../shared/media/file-facts.js";

/** Encrypts a file as the platform's apps do: AES-256-CBC, a MAC of 10 bytes at the end, and a sidecar over windows of 64 KiB. */
export function encryptedFile(plain: Buffer, kind: FileFacts["kind"], label: string): { stored: Buffer; facts: FileFacts } {
  const mediaKey = randomBytes(32);
  const expanded = Buffer.from(hkdfSync("sha256", mediaKey, "", `WhatsApp ${label} Keys`, 112));
  const [iv, cipherKey, macKey] = [expanded.subarray(0, 16), expanded.subarray(16, 48), expanded.subarray(48, 80)];
  const cipher = createCipheriv("aes-256-cbc", cipherKey, iv);
  const chained = Buffer.concat([iv, cipher.update(plain), cipher.final()]);
  const macOf = (bytes: Buffer): Buffer => createHmac("sha256", macKey).update(bytes).digest().subarray(0, 10);
  const stored = Buffer.concat([chained.subarray(16), macOf(chained)]);
  const windows: Buffer[] = [];
  for (let at = 0; at + 16 < chained.length; at += 65_536) windows.push(macOf(chained.subarray(at, at + 65_536 + 16)));
  const facts: FileFacts = {
    kind,
    length: plain.length,
    directPath: "/v/file.enc?ccb=11-4",
    mediaKey,
    encryptedHash: createHash("sha256").update(stored).digest(),
    plainHash: createHash("sha256").update(plain).digest(),
    sidecar: Buffer.concat(windows),
    mimetype: "video/mp4",
    name: "",
    author: "",
    fromMe: false,
  };
  return { stored, facts };
}
