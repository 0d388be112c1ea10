import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./step.mjs";

const file = join(root, ".cache", "setup.lock");

/** Allows one setup of a checkout at a time: `npm start` and `npm test` in two terminals must not both run `npm ci`. */
export async function withLock(work) {
  mkdirSync(join(root, ".cache"), { recursive: true });
  for (let waited = false; !take(); waited = true) {
    if (!waited) console.log("setup: waiting for another setup of this checkout ...");
    await sleep(300);
  }
  const release = () => rmSync(file, { force: true });
  process.once("exit", release);
  try {
    await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

function take() {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    // A killed setup leaves a lock file with the id of a dead process.
    if (!isAlive(holder())) rmSync(file, { force: true });
    return false;
  }
}

function holder() {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return 0; // The other setup has released the lock meanwhile.
  }
}

function isAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
