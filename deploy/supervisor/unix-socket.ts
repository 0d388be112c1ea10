import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, with a zero at the end. */
const longestPath = 100;

/** Where a unix socket of a folder lives: inside it, or, when that path is too long for a socket, in a folder of our own under the system's temporary one. */
export function socketPath(folder: string, name: string): string {
  const inside = join(folder, name);
  if (Buffer.byteLength(inside) <= longestPath) return inside;
  const short = join(tmpdir(), `trunkline-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  // Everyone may write to the temporary folder: somebody else's folder of that name must not receive our connections.
  const found = lstatSync(short);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
    throw new Error(`${short} belongs to somebody else; set a shorter DATA_DIR`);
  return join(short, name);
}

/** Whether a living process listens on a unix socket. The kernel answers, so a process that hangs still counts. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    // EAGAIN: so many connections wait that there is somebody to wait for.
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EAGAIN"));
  });
}
