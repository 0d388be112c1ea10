/** Tests that need a browser. */
const inBrowser = "test/console/";

/** Which programs a run of the tests needs beside those of the gateway, by vitest's own arguments: promtool always, a browser only where its tests are among them. */
export function testPrograms(args) {
  const projects = args.flatMap((arg, i) => (arg === "--project" ? [args[i + 1]] : []));
  const paths = args.filter((arg, i) => !arg.startsWith("-") && args[i - 1] !== "--project");
  const isAsked = paths.length === 0 || paths.some((path) => path.includes(inBrowser.slice(0, -1)) || inBrowser.startsWith(path));
  return isAsked && (projects.length === 0 || projects.includes("system")) ? ["promtool", "chromium"] : ["promtool"];
}
