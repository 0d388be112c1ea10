import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run, SetupError, step } from "./step.mjs";

/** The gateway's streams and scripts use commands of Redis 6.2. */
const lowestRedis = [6, 2];

/** Programs that can replace another one. */
const alternatives = { "redis-server": ["valkey-server"] };

/**
 * Ensures that the programs are on PATH. Installs them with apt if no password is required, otherwise throws a sentence with the command
 * to run.
 */
export async function requirePrograms(names) {
  const missing = names.filter((name) => !isOnPath(name));
  if (missing.length > 0) await install(missing);
  if (names.includes("redis-server")) requireRedisVersion();
}

/** Debian installs servers in a folder that is not on every user's PATH. */
const serverFolders = process.platform === "linux" ? ["/usr/sbin"] : [];

function isOnPath(name) {
  return [name, ...(alternatives[name] ?? [])].some(isThere);
}

function isThere(name) {
  return [...(process.env.PATH ?? "").split(delimiter), ...serverFolders].some(
    (folder) => folder !== "" && isExecutable(join(folder, name)),
  );
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // The file is missing or not accessible.
  }
}

async function install(missing) {
  const prefix = family() === "debian" ? rootPrefix() : undefined;
  if (!prefix) throw new SetupError(`${missing.join(" and ")} not found on PATH; install with: ${byHand(missing)}`);
  const command = [
    ...prefix,
    "env",
    "DEBIAN_FRONTEND=noninteractive",
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "sh",
    "-c",
    aptScript,
    "sh",
    ...packagesOf(missing),
  ];
  await step(`installing ${missing.join(" and ")} with apt`, `${missing.join(" and ")} installed`, () => run(command[0], command.slice(1)));
  const still = missing.filter((name) => !isOnPath(name));
  if (still.length > 0)
    throw new SetupError(`${still.join(" and ")} still not found on PATH after installing; install with: ${byHand(still)}`);
}

/**
 * Arguments are package names. The temporary policy script prevents Debian from starting the services, and they are disabled for later
 * boots: the gateway, the benchmarks and the tests each start servers of their own.
 */
const aptScript = `
set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT INT TERM HUP
  printf '#!/bin/sh\\nexit 101\\n' > "$policy"
  chmod 755 "$policy"
fi
apt="apt-get -q -y -o Acquire::Retries=3 -o DPkg::Lock::Timeout=120"
$apt update || true
$apt install --no-install-recommends "$@"
if command -v systemctl > /dev/null; then
  for service in "$@"; do
    case "$service" in redis-server | prometheus | nginx | haproxy) systemctl disable "$service.service" > /dev/null 2>&1 || true ;; esac
  done
fi
`;

/** Returns the prefix that runs a command as root without a password prompt, or undefined. */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  return spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status === 0 ? ["sudo", "-n"] : undefined;
}

function byHand(names) {
  const sudo = process.getuid?.() === 0 ? "" : "sudo ";
  const packages = packagesOf(names).join(" ");
  switch (family()) {
    case "debian":
      return `${sudo}apt-get update && ${sudo}apt-get install -y ${packages}`;
    case "fedora":
      return `${sudo}dnf install -y ${packages}`;
    case "alpine":
      return `${sudo}apk add ${packages}`;
    case "arch":
      return `${sudo}pacman -S --needed ${packages}`;
    case "macos":
      return `brew install ${packages}`;
    default:
      return `your system's package manager (redis-server ${lowestRedis.join(".")} or newer; ffmpeg)`;
  }
}

/** Packages that are named differently from their program. */
const packageNames = {
  debian: { promtool: "prometheus", kubectl: "kubernetes-client", "systemd-analyze": "systemd" },
  fedora: {
    "redis-server": "redis",
    ffmpeg: "ffmpeg-free",
    prometheus: "/usr/bin/prometheus",
    promtool: "/usr/bin/promtool",
    kubectl: "kubernetes-client",
    "systemd-analyze": "systemd",
  },
  alpine: { "redis-server": "redis", promtool: "prometheus" },
  arch: { "redis-server": "redis", promtool: "prometheus", "systemd-analyze": "systemd" },
  macos: { "redis-server": "redis", promtool: "prometheus", kubectl: "kubernetes-cli" },
};

/** Returns the packages for the programs; one package may contain several. */
function packagesOf(names) {
  return [...new Set(names.map((name) => packageNames[family()]?.[name] ?? name))];
}

/** Returns the distribution family of this machine. */
function family() {
  if (process.platform === "darwin") return "macos";
  if (process.platform !== "linux" || !existsSync("/etc/os-release")) return "other";
  const release = readFileSync("/etc/os-release", "utf8");
  const names = [...release.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].flatMap(([, value]) => value.split(" "));
  if (names.some((name) => name === "debian" || name === "ubuntu")) return "debian";
  if (names.some((name) => name === "fedora" || name === "rhel")) return "fedora";
  return names.find((name) => name === "alpine" || name === "arch") ?? "other";
}

function requireRedisVersion() {
  const program = isThere("redis-server") ? "redis-server" : "valkey-server";
  const text = spawnSync(program, ["--version"], { encoding: "utf8" }).stdout ?? "";
  const [, major, minor] = /\bv=(\d+)\.(\d+)/.exec(text) ?? [];
  if (Number(major) > lowestRedis[0] || (Number(major) === lowestRedis[0] && Number(minor) >= lowestRedis[1])) return;
  throw new SetupError(
    `redis-server ${lowestRedis.join(".")} or newer is needed, the one on PATH says: ${text.trim() || "nothing"}; put a newer one first on PATH, or set REDIS_URL to a running one.`,
  );
}
