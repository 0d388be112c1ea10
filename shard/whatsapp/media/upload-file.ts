import { createReadStream } from "node:fs";
import type { Agent } from "node:https";
import { request } from "node:https";
import { pipeline } from "node:stream/promises";
import type { MediaConnInfo } from "@whiskeysockets/baileys";
import typia from "typia";
import { UploadFailed } from "../network/connection-error.js";
import { retrying } from "../network/transient.js";
import { HostRefused } from "./host-refused.js";
import type { MediaHosts } from "./media-hosts.js";

export interface Upload {
  readonly hosts: MediaHosts;
  readonly agent: Agent;
  readonly signal: AbortSignal;
  readonly file: { readonly path: string; readonly size: number };
  /** Returns the path and query on each host. `auth` is the account's permission. */
  readonly target: (auth: string) => string;
}

export interface UploadResponse {
  direct_path: string;
  url?: string;
  handle?: string;
  thumbnail_info?: { thumbnail_direct_path?: string; thumbnail_sha256?: string };
}

/**
 * Streams a file from disk to the first media host that accepts it. Retries transient failures and renews a refused permission. A repeated
 * upload is stored once. Rejects with the library's error text.
 */
export async function uploadFile(upload: Upload): Promise<UploadResponse> {
  const { hosts, signal } = upload;
  let renewals = 0;
  return retrying(
    async () => {
      for (;;) {
        signal.throwIfAborted();
        const found = await hosts.find();
        try {
          return await toFirstHost(upload, found);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof UploadFailed)) throw error;
          // Hosts may change as well, so each try reads them again.
          hosts.forget(found);
          if (!isExpired(error.cause) || renewals === renewalsMax) throw error;
          renewals += 1;
        }
      }
    },
    (error) => error instanceof UploadFailed && isMomentary(error.cause),
    signal,
  );
}

/** The second renewal covers a permission that expires during the first. */
const renewalsMax = 2;
const responseMaxBytes = 64 * 1024;
const redirectsMax = 5;
/** A media host that accepts no bytes for this long has failed. */
const idleMs = 60_000;

async function toFirstHost(upload: Upload, { hosts, auth }: MediaConnInfo): Promise<UploadResponse> {
  let reason: unknown;
  for (const { hostname } of hosts) {
    try {
      return await post(new URL(`https://${hostname}${upload.target(encodeURIComponent(auth))}`), upload);
    } catch (error) {
      // A transient failure takes precedence, because it decides whether the upload is retried.
      if (reason === undefined || !isMomentary(reason)) reason = error;
      if (isExpired(error) || upload.signal.aborted) break;
    }
  }
  throw new UploadFailed(reason);
}

function isExpired(error: unknown): boolean {
  return error instanceof HostRefused && (error.status === 401 || error.status === 403);
}

/** True for an unreachable or silent host, an invalid response, and transient statuses. */
function isMomentary(error: unknown): boolean {
  return error instanceof HostRefused ? error.isMomentary : error !== undefined;
}

const parseResponse = typia.json.createIsParse<UploadResponse>();

async function post(url: URL, upload: Upload, redirects = 0): Promise<UploadResponse> {
  const { status, location, text } = await send(url, upload);
  if (location !== undefined && status >= 300 && status < 400 && redirects < redirectsMax)
    return post(new URL(location, url), upload, redirects + 1);
  if (status !== 200) throw new HostRefused(status);
  const response = parseResponse(text);
  if (response === null) throw new Error("answer of the media host is not understood");
  return response;
}

interface HostResponse {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

function send(url: URL, { agent, signal, file }: Upload): Promise<HostResponse> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/octet-stream", "content-length": file.size, origin: "https://web.whatsapp.com" };
    const sending = request(url, { method: "POST", agent, timeout: idleMs, signal, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (text.length > responseMaxBytes) sending.destroy(new Error("answer is too large"));
      });
      response.once("end", () => resolve({ status: response.statusCode ?? 0, location: response.headers.location, text }));
      response.on("error", reject);
    });
    sending.on("error", reject);
    sending.once("timeout", () => sending.destroy(new Error("media host is silent")));
    pipeline(createReadStream(file.path), sending, { signal }).catch(reject);
  });
}
