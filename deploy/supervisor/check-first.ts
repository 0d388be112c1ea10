import { lockPath } from "./data-lock.js";
import { alreadyRunning, readRunning } from "./running-supervisor.js";
import { isListening } from "./unix-socket.js";

/**
 * Runs at a start before anything is built, and prints why the start must not continue, or nothing. Arguments: the data folder, and the
 * fingerprint of the new build.
 */
const [dataDir = "", build = ""] = process.argv.slice(2);
const lock = lockPath(dataDir);
if (await isListening(lock)) console.log(alreadyRunning(dataDir, await readRunning(lock), { build, built: new Date().toISOString() }));
