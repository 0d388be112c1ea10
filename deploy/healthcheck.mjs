// Exits with 0 if this container's process responds on /healthz of its admin port, so its event loop runs. The image's HEALTHCHECK runs
// it.
const { ADMIN_HOST = "127.0.0.1", ADMIN_PORT = "9090" } = process.env;
const host = ADMIN_HOST === "0.0.0.0" ? "127.0.0.1" : ADMIN_HOST;
const response = await fetch(`http://${host}:${ADMIN_PORT}/healthz`, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);
