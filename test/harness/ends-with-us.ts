import { spawn } from "node:child_process";

/**
 * Kills another process when this one has gone, however it went: a run of tests that was killed leaves nothing running. The watch is a shell that waits for the end of its
 * input, which only we hold open. Gives back what ends it.
 */
export function endsWithUs(pid: number): () => void {
  const watch = spawn("/bin/sh", ["-c", 'read -r _; kill -KILL "$1"', "sh", String(pid)], {
    // Ctrl-C in the terminal is not for it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  return () => void watch.kill("SIGKILL");
}
