import type { ImageObject, VideoObject } from "../message-content.js";

export const statusTypes = ["text", "image", "video"] as const;

/** Variant A, "Status request body (POST /status)", after validation. */
export type StatusInput =
  | { type: "text"; text: string }
  | { type: "image"; text: string; image: ImageObject }
  | { type: "video"; text: string; video: VideoObject };

/** Returned when the platform's server has accepted the status. */
export interface StatusOutput {
  /** The platform's id of the status. */
  statusId: string;
}
