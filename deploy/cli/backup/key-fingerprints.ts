import type { KeyRing } from "../../../shared/config/key-ring.js";

const shown = 16;

/** Returns a fingerprint of each key by its id. The key cannot be derived from its fingerprint. */
export function fingerprintsOf(ring: KeyRing): Record<string, string> {
  return Object.fromEntries(
    ring.macs("trunkline", "fingerprint").map((mac) => {
      const [id = "", digest = ""] = mac.split(".");
      return [id, digest.slice(0, shown)];
    }),
  );
}
