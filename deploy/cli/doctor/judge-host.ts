import { bytes, counted } from "../output/quantities.js";
import { fail, ok, warn, type Finding } from "./finding.js";

/** `engines` has the format of package.json: `^20.19.0 || ^22.0.0`. */
export function judgeNode(version: string, engines: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const fits = engines.split("||").some((range) => {
    const [wanted = 0, least = 0] = range.trim().replace(/^\^/, "").split(".").map(Number);
    return major === wanted && minor >= least;
  });
  return fits
    ? ok("node", version)
    : fail("node", `${version} is not supported (requires ${engines})`, "install a supported version of Node");
}

const diskWarnBytes = 2 * 1024 ** 3;
const diskFailBytes = 256 * 1024 ** 2;

/** Judges the free disk space at the data folder. */
export function judgeDisk(folder: string, freeBytes: number): Finding {
  const says = `${bytes(freeBytes)} free at ${folder}`;
  const fix = "free disk space, or move the data folder (DATA_DIR); on a full disk Redis rejects every write";
  if (freeBytes < diskFailBytes) return fail("disk", says, fix);
  return freeBytes < diskWarnBytes ? warn("disk", says, fix) : ok("disk", says);
}

const memoryWarnShare = 0.1;

export function judgeMemory(availableBytes: number, totalBytes: number): Finding {
  const says = `${bytes(availableBytes)} of ${bytes(totalBytes)} available`;
  return availableBytes < memoryWarnShare * totalBytes
    ? warn("memory", says, "add memory to this host, or move sessions to another host (drain)")
    : ok("memory", says);
}

/** `version` is the program's own output; undefined if the program does not run. */
export function judgeFfmpeg(program: string, version: string | undefined): Finding {
  return version === undefined
    ? fail(
        "ffmpeg",
        `${program} does not run`,
        "install ffmpeg (apt-get install ffmpeg) or set FFMPEG_PATH; without it videos have no thumbnail",
      )
    : ok("ffmpeg", version);
}

export function judgeFonts(wanted: number, missing: readonly string[]): Finding {
  if (missing.length === 0) return ok("fonts", `${counted(wanted, "family").replace(/ys$/, "ies")} for text stories`);
  const named = `${missing.slice(0, 3).join(", ")}${missing.length > 3 ? ", …" : ""}`;
  return fail("fonts", `${missing.length} of ${wanted} are missing (${named})`, "reinstall the packages: npm ci");
}

export interface PortState {
  readonly port: number;
  readonly owner: string;
  /** Error code of listening on the port; undefined if the port is free. */
  readonly refused: string | undefined;
  /** Process that holds the port, if the system reveals it. */
  readonly holder: string | undefined;
}

/** Judges the ports before a start: each one is free, or another process holds it. */
export function judgePorts(ports: readonly PortState[]): Finding {
  const taken = ports.filter(({ refused }) => refused !== undefined);
  if (taken.length === 0) return ok("ports", `${counted(ports.length, "port")} free (from ${ports[0]?.port ?? ""})`);
  const says = taken.map(
    ({ port, owner, refused, holder }) => `${port} (${owner}) is ${holder === undefined ? (refused ?? "") : `in use by ${holder}`}`,
  );
  return warn("ports", says.join("; "), "stop that process, or change PORT, ADMIN_PORT or SANDBOX_PORT");
}
