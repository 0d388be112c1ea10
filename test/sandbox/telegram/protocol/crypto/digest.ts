import { createHash } from "node:crypto";

export function sha1(...parts: readonly Buffer[]): Buffer {
  return digest("sha1", parts);
}

export function sha256(...parts: readonly Buffer[]): Buffer {
  return digest("sha256", parts);
}

function digest(algorithm: "sha1" | "sha256", parts: readonly Buffer[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}
