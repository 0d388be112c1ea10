/**
 * Calls `fetch` and rejects on a redirect. With `redirect: "error"`, Node 20 and 22 may garbage-collect the request and its signal, so that
 * a slow body never ends (undici#4627).
 */
export async function fetchUnredirected(url: string | URL, init: Omit<RequestInit, "redirect">): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  if (!redirects.has(response.status)) return response;
  await response.body?.cancel();
  throw new TypeError(`it redirects elsewhere (${response.status})`);
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
