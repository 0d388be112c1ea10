import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { linesOnly } from "./line-map.mjs";
import { root, SetupError } from "./step.mjs";

/** Main files of the processes that start often. The last one is the gateway that tests run in their own process. */
const entries = [
  "deploy/supervisor/main.js",
  "deploy/supervisor/container.js",
  "deploy/cli/main.js",
  "router/main.js",
  "shard/main.js",
  "deploy/all-in-one/main.js",
  "test/sandbox/main.js",
  "test/harness/in-process.js",
];

/** Packages that are not bundled: native code with its loaders, and optional packages. */
const native = ["sharp", "uWebSockets.js", "@btc-vision/uwebsockets.js", "whatsapp-rust-bridge"];
const optional = ["@opentelemetry/*", "bufferutil", "utf-8-validate"];

/** The names must not occur in any module. CommonJS modules in the bundle still require Node's own modules. */
const preamble = `import { createRequire as $requireFrom } from "node:module";
import { dirname as $folderOf } from "node:path";
import { fileURLToPath as $pathOf } from "node:url";
const require = $requireFrom(import.meta.url);
const $moduleUrl = (path) => new URL(path, import.meta.url);`;

/**
 * Bundles the modules of each process into its main file: resolving and linking a thousand modules is most of the start time. The modules
 * stay beside it for tests and tools. No process may use `folder` yet.
 */
export async function bundleProcesses(folder) {
  // Imported here, because esbuild is missing until the packages are installed.
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
      // Every process keeps its program text in memory. Node and V8 keep 20 bytes more for each of its lines.
      minifyWhitespace: true,
      legalComments: "none",
      lineLimit: 400,
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
    const map = JSON.parse(await readFile(`${file}.map`, "utf8"));
    await writeFile(`${file}.map`, JSON.stringify({ ...map, names: [], mappings: linesOnly(map.mappings) }));
  }
}

/** Avoids work that every process would repeat for each importing module. */
const onceInEach = {
  name: "once in each",
  setup: ({ onResolve, onLoad }) => {
    // The metrics library uses seventy small modules of this package. The package keeps its state in the process, so the tracing packages
    // may load a second copy.
    onResolve({ filter: /^@opentelemetry\/api$/ }, ({ kind }) =>
      kind === "require-call" ? { path: join(root, "node_modules/@opentelemetry/api/build/src/index.js") } : undefined,
    );
    // The package exposes two thousand prepared numbers as properties of its function, and esbuild would copy them for each importer.
    const alone = join(root, "node_modules/big-integer/default-alone.js");
    onResolve({ filter: /^big-integer$/ }, ({ kind }) => (kind === "import-statement" ? { path: alone } : undefined));
    onLoad({ filter: /[\\/]default-alone\.js$/ }, () => ({
      contents: 'const whole = require("big-integer");\nexport default whole;',
    }));
    // esbuild would give each importer a copy with a getter for each name, and the classes of Telegram's schema are read at every message.
    const names = "{ Api, TelegramClient, tl, utils }";
    const schema = join(root, "node_modules/telegram/names-alone.js");
    onResolve({ filter: /^telegram$/ }, ({ kind, importer }) =>
      kind === "import-statement" && /[\\/]shard[\\/]telegram[\\/]/.test(importer) ? { path: schema } : undefined,
    );
    onLoad({ filter: /[\\/]names-alone\.js$/ }, () => ({ contents: `const ${names} = require("telegram");\nexport ${names};` }));
  },
};

/**
 * The sandbox may use another version of the Telegram library than the gateway (`test-successor.mjs`). npm installs it beside the
 * sandbox's sources, so its imports are resolved from there.
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
 * Replaces modules of a library with our equivalent ones (`shard/whatsapp/PATCHES.md`). The sandbox keeps the library's own modules, and so
 * checks the output of ours.
 */
function ownModules(folder) {
  const own = join(folder, "shard/whatsapp/network");
  const library = join(root, "node_modules/@whiskeysockets/baileys/lib");
  return {
    name: "own modules",
    setup: ({ onResolve }) => {
      const replace = (filter, importer, module) =>
        onResolve({ filter }, (found) => (found.importer === join(library, importer) ? { path: join(own, module) } : undefined));
      replace(/^\.\/encode\.js$/, "WABinary/index.js", "encode-binary-node.js");
      replace(/^crypto$/, "Utils/generics.js", "library-random.js");
      for (const importer of cacheImporters) replace(/^@cacheable\/node-cache$/, importer, "library-cache.js");
    },
  };
}

const cacheImporters = [
  "Socket/chats.js",
  "Socket/messages-recv.js",
  "Socket/messages-send.js",
  "Utils/auth-utils.js",
  "Utils/identity-change-handler.js",
];

/**
 * Keeps `import.meta.url` of each module, which finds its data files (Lua scripts, pages, programs) with it. Imports of OpenTelemetry stay
 * where they are: in the head of the bundle every process would load them.
 */
function modulesInPlace(folder) {
  const load = async ({ path }) => {
    const place = `$moduleUrl(${JSON.stringify(relative(folder, path))})`;
    const text = lazilyCompiled(path, await readFile(path, "utf8"))
      .replaceAll(/^import (\{[^}]+\}) from ("@opentelemetry\/[^"]+");$/gm, "const $1 = await import($2);")
      .replaceAll("import.meta.url", `${place}.href`)
      .replaceAll(/\b__filename\b/g, `$pathOf(${place})`)
      .replaceAll(/\b__dirname\b/g, `$folderOf($pathOf(${place}))`);
    return { contents: path.includes("/node_modules/") ? text + mapOf(path, text) : text, loader: "js" };
  };
  return { name: "modules in place", setup: ({ onLoad }) => onLoad({ filter: /\.[cm]?js$/ }, load) };
}

/**
 * Removes the parentheses that make V8 compile all 672 classes of the WhatsApp messages while it compiles their module. V8's memory for
 * that is never returned to the system. Without them V8 compiles each class when it is called.
 */
function lazilyCompiled(path, text) {
  if (path !== join(root, "node_modules/@whiskeysockets/baileys/WAProto/index.js")) return text;
  const call = "function $call(make) { return make(); }";
  return text.replaceAll(/^(\s+[\w.]+ = )\((function\(\) \{)$/gm, "$1$call($2").replaceAll(/^( {4,}\}\))\(\);$/gm, "$1;") + call;
}

/**
 * Returns a source map that gives each line of a library its first line: all lines would make the map six times as large, and every process
 * reads it. Stack traces still name the library's file and function.
 */
function mapOf(path, text) {
  const mappings = text.replace(/[^\n]+/g, "").replaceAll("\n", ";AAAA");
  const map = { version: 3, sources: [basename(path)], names: [], mappings: `AAAA${mappings}` };
  return `\n//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify(map))}`;
}
