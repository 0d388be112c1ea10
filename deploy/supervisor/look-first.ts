import { lockPath } from "./data-lock.js";
import { alreadyRunning, askRunning } from "./running-supervisor.js";
import { isListening } from "./unix-socket.js";

/** Run by a start before it makes anything: says why it must not go on, or nothing. Arguments: the data folder, and the build that would be made. */
const [dataDir = "", build = ""] = process.argv.slice(2);
const lock = lockPath(dataDir);
if (await isListening(lock)) console.log(alreadyRunning(dataDir, await askRunning(lock), { build, built: new Date().toISOString() }));
