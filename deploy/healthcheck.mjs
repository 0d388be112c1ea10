// Exit code 0 when this container's process answers /healthz on its admin port, so when its event loop runs; for HEALTHCHECK of the image.
const { ADMIN_HOST = "127.0.0.1", ADMIN_PORT = "9090" } = process.env;
const host = ADMIN_HOST === "0.0.0.0" ? "127.0.0.1" : ADMIN_HOST;
const answer = await fetch(`http://${host}:${ADMIN_PORT}/healthz`, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
