/** Tests that need a browser, and one that needs a load balancer. */
const inBrowser = "test/console/";
const withBalancer = "test/cluster/haproxy.test.ts";

/**
 * Returns the programs that a test run needs besides the gateway's. Checkers for Prometheus, Kubernetes and systemd files are always
 * included; a browser and a load balancer only if vitest's arguments select their tests.
 */
export function testPrograms(args) {
  const projects = args.flatMap((arg, i) => (arg === "--project" ? [args[i + 1]] : []));
  const paths = args.filter((arg, i) => !arg.startsWith("-") && args[i - 1] !== "--project");
  const isSystem = projects.length === 0 || projects.includes("system");
  const isRequested = (place) =>
    isSystem && (paths.length === 0 || paths.some((path) => path.includes(place.replace(/\/$/, "")) || place.startsWith(path)));
  return [
    "promtool",
    "kubectl",
    // systemd units are checked only on Linux.
    ...(process.platform === "linux" ? ["systemd-analyze"] : []),
    ...(isRequested(withBalancer) ? ["haproxy"] : []),
    ...(isRequested(inBrowser) ? ["chromium"] : []),
  ];
}
