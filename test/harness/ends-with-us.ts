import { spawn } from "node:child_process";

/**
 * Kills another process when this one ends in any way, so that a killed test run leaves nothing running. The watcher is a shell that waits
 * for the end of its input. Returns a function that stops the watcher.
 */
export function endsWithUs(pid: number): () => void {
  const watch = spawn("/bin/sh", ["-c", 'read -r _; kill -KILL "$1"', "sh", String(pid)], {
    // Ctrl-C in the terminal must not reach the watcher.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  return () => void watch.kill("SIGKILL");
}
