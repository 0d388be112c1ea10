/**
 * Hides libsignal's console output: it prints whole sessions, private keys included, on routine operations, which costs time. Other
 * console output stays.
 */
const prefixes = [
  "Closing session",
  "Opening session",
  "Removing old closed session",
  "Session already",
  "Closing open session",
  "Session error",
  "Failed to decrypt message",
  "Decrypted message with closed session",
  "Migrating session",
];

let quiet = false;

/** Applies to the whole process, once. */
export function quietLibsignal(): void {
  if (quiet) return;
  quiet = true;
  const { console: output } = globalThis;
  for (const level of ["info", "warn", "error"] as const) {
    const write = output[level].bind(output);
    output[level] = (...values: unknown[]) => {
      const [first] = values;
      if (typeof first === "string" && prefixes.some((prefix) => first.startsWith(prefix))) return;
      write(...values);
    };
  }
}
