import { node } from "../protocol/node.js";
import type { IqHandler } from "./iq-request.js";

const maxContentBytes = 128 * 1_024 * 1_024;

/** Returns the upload host and the authorisation token. */
export const mediaConnection: IqHandler = ({ account, mediaAuth, mediaHost }) => [
  node("media_conn", { auth: mediaAuth(account), ttl: "300", auth_ttl: "21600", max_buckets: "12" }, [
    node("host", { hostname: mediaHost(), type: "primary", maxContentLengthBytes: String(maxContentBytes) }),
  ]),
];
