import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fingerprint, readStamp } from "./fingerprint.mjs";
import { npm } from "./packages.mjs";
import { root, run, SetupError, step } from "./step.mjs";

/** Contents of the Debian root: the programs of the image (deploy/manifests/Dockerfile), and those that the tests start. */
const recipe = {
  suite: "trixie",
  packages: ["ca-certificates", "curl", "ffmpeg", "procps", "redis-server", "tini", "valkey-server"],
  node: "24.21.0",
  /** Integrity of the npm package with this Node, by architecture. */
  integrity: {
    x64: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
    arm64: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  },
};
const folder = join(root, ".cache/debian-13");
const stamp = ".cache/debian-13.stamp";

/** Throws a sentence if this machine cannot create a Debian root, which needs root rights, namespaces and apt. */
export function requireDebianRoot() {
  const cannot = (why) => new SetupError(`these tests did not run: they want a Debian 13 of their own, ${why}.`);
  if (process.platform !== "linux" || !(process.arch in recipe.integrity))
    throw cannot(`which is made on Linux on ${Object.keys(recipe.integrity).join(" or ")} only`);
  if (process.getuid?.() !== 0) throw cannot("which only root can make and enter");
  if (spawnSync("apt-get", ["--version"]).status !== 0) throw cannot("which is made with apt, and there is none");
  if (spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]).status !== 0)
    throw cannot("which is entered by namespaces, and this machine allows none");
}

/** Returns the folder of a Debian 13 with Node 24, Redis and ffmpeg in .cache. Creates it if it is missing or the recipe changed. */
export async function debianRoot() {
  const wanted = fingerprint([], recipe, process.arch);
  if (readStamp(stamp) === wanted && existsSync(folder)) return folder;
  await step("making a Debian 13", "Debian 13 made", () => make(wanted));
  return folder;
}

async function make(wanted) {
  rmSync(join(root, stamp), { force: true });
  const fresh = `${folder}.new`;
  await remove(folder);
  await bootstrapDebian(fresh, recipe.packages);
  await putNode(fresh, "opt/node/bin");
  mkdirSync(join(fresh, "checkout"));
  renameSync(fresh, folder);
  writeFileSync(join(root, stamp), wanted);
}

/** Creates a Debian 13 with these packages in `target`, fetched with this machine's apt settings. */
export async function bootstrapDebian(target, packages) {
  await remove(target);
  mkdirSync(dirname(target), { recursive: true });
  // Written to files rather than arguments: an address or a proxy may contain a password, and a failed command is printed.
  const [sources, options] = [`${target}.list`, `${target}.apt.conf`];
  try {
    writeFileSync(sources, `deb ${await mirror()} ${recipe.suite} main\n`, { mode: 0o600 });
    writeFileSync(options, transport(), { mode: 0o600 });
    await run("mmdebstrap", [
      "--mode=root",
      "--variant=minbase",
      `--aptopt=${options}`,
      `--include=${packages.join(",")}`,
      recipe.suite,
      target,
      sources,
    ]);
  } finally {
    for (const file of [sources, options]) rmSync(file, { force: true });
  }
}

/** Returns the address from which this machine fetches Debian packages. */
async function mirror() {
  // apt knows the origins only after it has fetched the lists.
  const found = debianAddress() ?? (await run("apt-get", ["-q", "update"]), debianAddress());
  if (found === undefined) throw new SetupError("these tests did not run: this machine's apt has no source of Debian.");
  return found;
}

function debianAddress() {
  const { stdout } = spawnSync(
    "apt-get",
    ["indextargets", "--format", "$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)", "Created-By: Packages"],
    { encoding: "utf8" },
  );
  return /^Debian\|Debian\|main\|(\S+)$/m.exec(stdout ?? "")?.[1];
}

/** Returns the transport settings of this machine's apt: proxies, certificates and retries. */
function transport() {
  const { stdout } = spawnSync("apt-config", ["dump"], { encoding: "utf8" });
  const own = (stdout ?? "").split("\n").filter((line) => /^Acquire::\S+ ".+";$/.test(line));
  return ['Acquire::Retries "5";', ...own, ""].join("\n");
}

/** Puts Node's program into a folder of the Debian at `target`. */
export async function putNode(target, programs) {
  const archive = await packed(`node-linux-${process.arch}@${recipe.node}`, target);
  if (`sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}` !== recipe.integrity[process.arch])
    throw new SetupError(`Node ${recipe.node} came other than it is known here.`);
  mkdirSync(join(target, programs), { recursive: true });
  await run("tar", ["-xzf", archive, "-C", join(target, programs), "--strip-components=2", "package/bin/node"]);
  rmSync(archive);
}

/** Downloads a package (`name@version`) from npm's registry into a folder. Resolves with the archive's path. */
export async function packed(name, target) {
  const [command, args] = npm("pack", name, "--pack-destination", target, "--silent");
  await run(command, args);
  return join(target, `${name.replace("@", "-")}.tgz`);
}

/** Deletes a folder, but not the contents of file systems mounted in it. */
export function remove(old) {
  return run("rm", ["-rf", "--one-file-system", old]);
}

/**
 * Returns the command line that runs `command` on the checkout in the Debian root. Its mounts and processes live in namespaces of that
 * command and end with it.
 */
export function inDebianRoot(inside, command, environment) {
  for (const file of ["hosts", "resolv.conf"]) copyFileSync(`/etc/${file}`, join(inside, "etc", file));
  const names = {
    PATH: "/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: "/root",
    LANG: "C.UTF-8",
    ...environment,
  };
  const variables = Object.entries(names).map(([name, value]) => `${name}=${value}`);
  return [
    "unshare",
    [
      "--mount",
      "--propagation",
      "private",
      "--pid",
      "--fork",
      "--kill-child",
      `--mount-proc=${inside}/proc`,
      "sh",
      "-ec",
      enter,
      "sh",
      inside,
      root,
      ...variables,
      ...command,
    ],
  ];
}

/** As in the image, tini is the first process, because orphaned processes must be reaped. */
const enter = `
inside=$1 checkout=$2; shift 2
mount --bind "$checkout" "$inside/checkout"
mount --rbind /dev "$inside/dev"
mount -t tmpfs -o mode=1777 tmpfs "$inside/tmp"
exec chroot "$inside" /usr/bin/tini -- env -i --chdir=/checkout "$@"
`;
