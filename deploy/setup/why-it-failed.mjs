/** Messages of npm, apt and curl without a network connection. */
const offline =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b|Temporary failure resolving|Could not (connect|resolve)|Failed to fetch/;
const full = /\bENOSPC\b|No space left on device/;

/** With less space the packages do not fit. */
export const leastFreeBytes = 256 * 2 ** 20;

/**
 * Returns one sentence that ends with the fix; undefined if only the tool's own output explains the failure. `freeBytes` is the free space
 * on the checkout's disk. Pure.
 */
export function whyItFailed({ command, output, freeBytes }) {
  if (full.test(output) || freeBytes < leastFreeBytes)
    return "the disk that holds this checkout is full: make room (look with: df -h .), and start again";
  const found = offline.exec(output)?.[0];
  if (found === undefined) return undefined;
  return /\bapt(-get)?\b/.test(command)
    ? `the package servers of this system cannot be reached (${found}): check the network, look with: apt-get update, and start again`
    : `the npm registry cannot be reached (${found}): check the network and any proxy, look with: npm ping, and start again`;
}
