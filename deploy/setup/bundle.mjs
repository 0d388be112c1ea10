import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { root, SetupError } from "./step.mjs";

/** Main files of the processes that start often. The last one is the gateway that tests run in their own process. */
const entries = [
  "deploy/supervisor/main.js",
  "deploy/supervisor/container.js",
  "deploy/cli/main.js",
  "router/main.js",
  "shard/main.js",
  "test/sandbox/main.js",
  "test/harness/in-process.js",
];

/** What stays a package of its own: native code and what loads it, and what need not be installed. */
const native = ["sharp", "uWebSockets.js", "@btc-vision/uwebsockets.js", "whatsapp-rust-bridge"];
const optional = ["@opentelemetry/*", "bufferutil", "utf-8-validate"];

/** Names that no module has. CommonJS modules inside of the file still ask for Node's own ones. */
const preamble = `import { createRequire as $requireFrom } from "node:module";
import { dirname as $folderOf } from "node:path";
import { fileURLToPath as $pathOf } from "node:url";
const require = $requireFrom(import.meta.url);
const $moduleUrl = (path) => new URL(path, import.meta.url);`;

/**
 * Bundles the modules of each process into its main file: to find, read and link a thousand modules is most of the cost of a start. The modules stay beside it, for tests and
 * tools that load some of them. `folder` is a build that no process uses yet.
 */
export async function bundleProcesses(folder) {
  // Only now: before the packages are installed, there is none.
  const { build } = await import("esbuild");
  // An image for the live platforms is built without the sandbox.
  for (const path of entries.filter((entry) => existsSync(join(folder, entry)))) {
    const file = join(folder, path);
    await build({
      absWorkingDir: root,
      entryPoints: [file],
      outfile: file,
      allowOverwrite: true,
      bundle: true,
      platform: "node",
      target: "node20",
      format: "esm",
      sourcemap: "linked",
      sourcesContent: false,
      banner: { js: preamble },
      external: [...native, ...optional],
      plugins: [
        onceInEach,
        sandboxLibrary(folder),
        ...(path.startsWith("test/sandbox/") ? [] : [ownModules(folder)]),
        modulesInPlace(dirname(file)),
      ],
      logLevel: "silent",
    }).catch((error) => {
      throw new SetupError(`${path} could not be bundled: ${error.message}`);
    });
  }
}

/** What every process would otherwise make or load anew for each module that imports it. */
const onceInEach = {
  name: "once in each",
  setup: ({ onResolve, onLoad }) => {
    // The metrics' library is built on seventy small modules of it. It keeps its state with the process, so what makes spans may load the package beside them.
    onResolve({ filter: /^@opentelemetry\/api$/ }, ({ kind }) =>
      kind === "require-call" ? { path: join(root, "node_modules/@opentelemetry/api/build/src/index.js") } : undefined,
    );
    // The two thousand numbers that it has ready are properties of its one function, and each of its importers would get all of them copied.
    const alone = join(root, "node_modules/big-integer/default-alone.js");
    onResolve({ filter: /^big-integer$/ }, ({ kind }) => (kind === "import-statement" ? { path: alone } : undefined));
    onLoad({ filter: /[\\/]default-alone\.js$/ }, () => ({
      contents: 'const whole = require("big-integer");\nexport default whole;',
    }));
  },
};

/**
 * The sandbox is a package of its own and may have another version of the Telegram library than the gateway (`test-successor.mjs`). npm installs that version
 * beside the sandbox's sources, which the build does not lie below.
 */
function sandboxLibrary(folder) {
  const built = join(folder, "test/sandbox") + sep;
  const resolveDir = join(root, "test/sandbox");
  return {
    name: "the sandbox's library",
    setup: ({ onResolve, resolve }) =>
      onResolve({ filter: /^telegram(\/|$)/ }, ({ path, importer, kind }) =>
        importer.startsWith(built) ? resolve(path, { kind, resolveDir }) : undefined,
      ),
  };
}

/**
 * Modules of ours that stand in the place of one of a library's, which they equal in all that they do (`shard/whatsapp/PATCHES.md`). The sandbox has the library's own: it is a package of
 * its own, and reads what ours write.
 */
function ownModules(folder) {
  const encoder = join(folder, "shard/whatsapp/network/encode-binary-node.js");
  return {
    name: "own modules",
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\/encode\.js$/ }, ({ importer }) =>
        importer === join(root, "node_modules/@whiskeysockets/baileys/lib/WABinary/index.js") ? { path: encoder } : undefined,
      ),
  };
}

/**
 * Each module still finds its data (scripts for Redis, pages, programs that it forks) from where it stands: what it asks for its own place is answered so. What makes spans
 * is loaded where it is asked for, as before: an import of a package that is apart would stand at the head of the one file.
 */
function modulesInPlace(folder) {
  const load = async ({ path }) => {
    const place = `$moduleUrl(${JSON.stringify(relative(folder, path))})`;
    const text = (await readFile(path, "utf8"))
      .replaceAll(/^import (\{[^}]+\}) from ("@opentelemetry\/[^"]+");$/gm, "const $1 = await import($2);")
      .replaceAll("import.meta.url", `${place}.href`)
      .replaceAll(/\b__filename\b/g, `$pathOf(${place})`)
      .replaceAll(/\b__dirname\b/g, `$folderOf($pathOf(${place}))`);
    return { contents: path.includes("/node_modules/") ? text + mapOf(path) : text, loader: "js" };
  };
  return { name: "modules in place", setup: ({ onLoad }) => onLoad({ filter: /\.[cm]?js$/ }, load) };
}

/** A stack names a library's file and function, and of our own sources the line too: with the libraries' lines the map would be six times as large, and be read by every process. */
function mapOf(path) {
  const map = { version: 3, sources: [basename(path)], names: [], mappings: "AAAA" };
  return `\n//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify(map))}`;
}
