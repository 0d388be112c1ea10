import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { filesBelow, fingerprint, readStamp } from "./fingerprint.mjs";
import { holdsFiles, keepFiles } from "./made-files.mjs";
import { root, SetupError, step } from "./step.mjs";
import { writeWebFiles } from "./web-files.mjs";

/** Folder of the console's sources, and folder of the built files, relative to a build. */
const sources = "router/console/app";
const built = "router/console/files";
const home = join(root, "dist/router/console");
const stamp = "dist/router/console/.setup-stamp";

/** Builds the console for browsers. Skipped if no source changed and all its files exist in dist/. */
export async function bundleConsole() {
  const wanted = fingerprint([
    "package-lock.json",
    "deploy/setup/console.mjs",
    "deploy/setup/web-files.mjs",
    ...filesBelow([sources, "shared"]),
  ]);
  if (readStamp(stamp) === wanted && holdsFiles(home)) return;
  await step("bundling the console", "console bundled", async () => {
    const [fresh, target] = [join(root, `dist/${built}.new`), join(root, `dist/${built}`)];
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
    writeWebFiles(fresh, await webFiles());
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
    keepFiles(home, ["files"]);
    writeFileSync(join(root, stamp), wanted);
  });
}

/** Returns the page, its scripts and its style. Scripts and style have a content hash in their names. */
async function webFiles() {
  // Imported here, because esbuild is missing until the packages are installed.
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`${sources}/main.tsx`],
    outdir: built,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "silent",
  }).catch((error) => {
    throw new SetupError(`the console could not be bundled: ${error.message}`);
  });
  const [entry, { cssBundle }] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith("main.tsx"));
  const page = readFileSync(join(root, sources, "index.html"), "utf8")
    .replace("{script}", basename(entry))
    .replace("{style}", basename(cssBundle));
  return [
    ...outputFiles.map(({ path, contents }) => ({ path: basename(path), bytes: Buffer.from(contents) })),
    { path: "index.html", bytes: Buffer.from(page) },
    { path: "licences.txt", bytes: Buffer.from(licencesOf(Object.keys(metafile.inputs))) },
    { path: "icon.svg", bytes: readFileSync(join(root, sources, "icon.svg")) },
  ];
}

/** Returns the licences of all bundled packages, which must accompany every copy of the files. */
function licencesOf(inputs) {
  const packages = new Set(inputs.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  return [...packages].sort().map(licenceOf).join("\n\n");
}

function licenceOf(name) {
  const folder = join(root, "node_modules", name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new SetupError(`${name}, which the console is made of, has no licence beside it`);
  return `${name}\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
}
