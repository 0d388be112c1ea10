/** Tests that need a browser, and one that needs a balancer. */
const inBrowser = "test/console/";
const withBalancer = "test/cluster/haproxy.test.ts";

/**
 * Which programs a run of the tests needs beside those of the gateway, by vitest's own arguments: what checks files for Prometheus, Kubernetes and systemd always, a browser and a
 * balancer only where their tests are among them.
 */
export function testPrograms(args) {
  const projects = args.flatMap((arg, i) => (arg === "--project" ? [args[i + 1]] : []));
  const paths = args.filter((arg, i) => !arg.startsWith("-") && args[i - 1] !== "--project");
  const isSystem = projects.length === 0 || projects.includes("system");
  const isAsked = (place) =>
    isSystem && (paths.length === 0 || paths.some((path) => path.includes(place.replace(/\/$/, "")) || place.startsWith(path)));
  return [
    "promtool",
    "kubectl",
    // Units are checked where they can be used.
    ...(process.platform === "linux" ? ["systemd-analyze"] : []),
    ...(isAsked(withBalancer) ? ["haproxy"] : []),
    ...(isAsked(inBrowser) ? ["chromium"] : []),
  ];
}
