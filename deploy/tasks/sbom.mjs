import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { npm } from "../setup/packages.mjs";
import { root } from "../setup/step.mjs";

// `npm run sbom [-- folder]`: lists the program's components as npm finds them installed, without those that only tests need.
const folder = resolve(process.argv[2] ?? join(root, "sbom"));
mkdirSync(folder, { recursive: true });

const { name, version, packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
/** `name@version` of all shipped packages. npm's own `--omit=dev` also omits packages that tests share, such as `ws`. */
const shipped = new Set(
  Object.entries(packages).flatMap(([path, entry]) => {
    if (path === "") return [`${name}@${version}`];
    // One format uses the import name of a package, the other its own name.
    const names = [path.replace(/^.*node_modules\//, ""), entry.name];
    return entry.dev ? [] : names.map((one) => `${one}@${entry.version}`);
  }),
);
const ships = (component) => shipped.has(`${component.name}@${component.version ?? component.versionInfo}`);

function bill(format) {
  const [command, args] = npm("sbom", `--sbom-format=${format}`);
  const options = { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", "pipe", "inherit"] };
  return JSON.parse(execFileSync(command, args, options));
}

function cycloneDx() {
  const { metadata, components, dependencies, ...rest } = bill("cyclonedx");
  const shipping = components.filter(ships);
  const refs = new Set([metadata.component["bom-ref"], ...shipping.map((component) => component["bom-ref"])]);
  return {
    ...rest,
    // npm uses the name of the checkout's folder.
    metadata: { ...metadata, component: { ...metadata.component, name } },
    components: shipping,
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) })),
  };
}

function spdx() {
  const { packages: listed, relationships, ...rest } = bill("spdx");
  const shipping = listed.filter(ships);
  const ids = new Set(["SPDXRef-DOCUMENT", ...shipping.map(({ SPDXID }) => SPDXID)]);
  return {
    ...rest,
    packages: shipping,
    relationships: relationships.filter(({ spdxElementId, relatedSpdxElement }) => ids.has(spdxElementId) && ids.has(relatedSpdxElement)),
  };
}

const bom = cycloneDx();
const licences = bom.components.map(({ name: of, version: at, licenses = [] }) => {
  const names = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name);
  return `${of} ${at}: ${names.join(", ") || "none"}`;
});
const files = {
  "trunkline.cdx.json": JSON.stringify(bom, undefined, 2),
  "trunkline.spdx.json": JSON.stringify(spdx(), undefined, 2),
  "licences.txt": licences.sort().join("\n"),
};
for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), `${text}\n`);
console.log(`${licences.length} packages listed in ${Object.keys(files).join(", ")} in ${folder}`);
