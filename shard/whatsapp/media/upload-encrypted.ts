import { stat } from "node:fs/promises";
import { MEDIA_PATH_MAP, type WAMediaUploadFunction } from "@whiskeysockets/baileys";
import type { Client } from "../client.js";
import { uploadFile } from "./upload-file.js";

/** Returns the function that the library calls with each file that it has encrypted. */
export function uploadEncrypted({ mediaHosts: hosts, mediaAgent: agent }: Client, signal: AbortSignal): WAMediaUploadFunction {
  return async (path, { mediaType, fileEncSha256B64 }) => {
    const { size } = await stat(path);
    const token = Buffer.from(fileEncSha256B64, "base64").toString("base64url");
    const { url = "", direct_path: directPath } = await uploadFile({
      hosts,
      agent,
      signal,
      file: { path, size },
      target: (auth) => `${MEDIA_PATH_MAP[mediaType]}/${token}?auth=${auth}&token=${token}`,
    });
    return { mediaUrl: url, directPath };
  };
}
