import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { bootstrapDebian, packed, putNode, remove, requireDebianRoot } from "./debian-root.mjs";
import { root, run, SetupError, step } from "./step.mjs";

const npmVersion = "11.6.2";
const certificates = "/etc/ssl/certs/ca-certificates.crt";

/** Public base images, and how to build a stand-in if their registry cannot be reached. */
const bases = {
  node: {
    name: "node:24-trixie-slim",
    changes: [`ENV NODE_EXTRA_CA_CERTS=${certificates}`, 'CMD ["node"]'],
    async fill(folder) {
      await bootstrapDebian(folder, ["ca-certificates"]);
      await putNode(folder, "usr/local/bin");
      await putNpm(folder);
      // npm in the image trusts the same certificates as this machine.
      if (existsSync(certificates)) copyFileSync(certificates, join(folder, certificates));
      for (const args of [
        ["groupadd", "--gid", "1000", "node"],
        ["useradd", "--uid", "1000", "--gid", "node", "--create-home", "node"],
      ])
        await run("chroot", [folder, ...args]);
    },
  },
  redis: {
    name: "redis:7.2-alpine",
    changes: ["WORKDIR /data", 'CMD ["redis-server"]'],
    async fill(folder) {
      await bootstrapDebian(folder, ["redis-server"]);
      // Debian's package closes this folder to a root user without capabilities; in the public image it is open.
      await run("chmod", ["755", join(folder, "etc/redis")]);
    },
  },
};

/** Throws a sentence if no Docker engine or no Compose v2 responds. */
export function requireContainers() {
  for (const args of [["info"], ["compose", "version"]])
    if (spawnSync("docker", args, { stdio: "ignore" }).status !== 0)
      throw new SetupError(`these tests did not run: \`docker ${args.join(" ")}\` fails. They need a Docker engine and compose v2.`);
}

/** Returns the names of usable base images: the public ones, or stand-ins made from Debian's packages if those cannot be pulled. */
export async function containerBases() {
  const names = {};
  for (const [kind, base] of Object.entries(bases)) names[kind] = await usable(kind, base);
  return names;
}

async function usable(kind, { name, changes, fill }) {
  const standIn = `trunkline-base-${kind}:local`;
  const there = (image) => spawnSync("docker", ["image", "inspect", image], { stdio: "ignore" }).status === 0;
  if (there(name) || spawnSync("docker", ["pull", "--quiet", name], { stdio: "ignore" }).status === 0) return name;
  if (there(standIn)) return standIn;
  requireDebianRoot();
  const folder = join(root, `.cache/container-bases/${kind}`);
  await step(`making a stand-in for ${name}`, `stand-in for ${name} made`, async () => {
    await fill(folder);
    const options = changes.flatMap((change) => ["--change", change]);
    await run("sh", ["-ec", 'folder=$1; shift; tar -C "$folder" -c . | docker import "$@"', "sh", folder, ...options, "-", standIn]);
    await remove(folder);
  });
  return standIn;
}

async function putNpm(folder) {
  const archive = await packed(`npm@${npmVersion}`, folder);
  const modules = join(folder, "usr/local/lib/node_modules");
  mkdirSync(join(modules, "npm"), { recursive: true });
  await run("tar", ["-xzf", archive, "-C", join(modules, "npm"), "--strip-components=1"]);
  rmSync(archive);
  for (const command of ["npm", "npx"]) {
    symlinkSync(`../lib/node_modules/npm/bin/${command}-cli.js`, join(folder, "usr/local/bin", command));
    await run("chmod", ["+x", join(modules, `npm/bin/${command}-cli.js`)]);
  }
}
