/**
 * `fetch` that takes a redirect for a failure. Not `redirect: "manual"`: with it nothing holds the request, so on Node 20 and 22 a garbage collection cuts the signal off and
 * an answer that trickles has no end (undici, issue 4627). Rejects with what `fetch` throws, the signal's reason, or a sentence.
 */
export async function fetchUnredirected(url: string | URL, init: Omit<RequestInit, "redirect">): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: "manual" });
  if (!redirects.has(response.status)) return response;
  await response.body?.cancel();
  throw new TypeError(`it redirects elsewhere (${response.status})`);
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
