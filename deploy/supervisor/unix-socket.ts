import { createHash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, with a zero at the end. */
const longestPath = 100;

/**
 * Returns the path of a folder's unix socket: inside the folder or, if that path is too long for a socket, in a private folder in the
 * system's temporary folder.
 */
export function socketPath(folder: string, name: string): string {
  const inside = join(folder, name);
  if (Buffer.byteLength(inside) <= longestPath) return inside;
  const short = join(tmpdir(), `trunkline-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  // Everybody can write to the temporary folder, so an existing folder of that name must belong to this user.
  const found = lstatSync(short);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
    throw new Error(`${short} belongs to somebody else; set a shorter DATA_DIR`);
  return join(short, name);
}

/** Returns whether a live process listens on a unix socket. The kernel accepts the connection, so a hung process counts too. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    // EAGAIN: the backlog is full, so a process is listening.
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EAGAIN"));
  });
}
