export const storyTypes = ["text", "image", "video"] as const;
/** In the order of the error `privacy must be one of the following values: everyone, contacts, close_friends`. */
export const storyPrivacies = ["everyone", "contacts", "close_friends"] as const;
export type StoryPrivacy = (typeof storyPrivacies)[number];

export interface StoryImage {
  url: string;
  mimetype: string;
}

export interface StoryVideo {
  url: string;
  mimetype: string;
  /** Seconds, greater than 0. */
  duration: number;
  /** URL of a thumbnail; empty or absent: the video's first frame. */
  thumbnail?: string;
}

/** Variant B, "Story request body (POST /status)", after validation: only the object that the type requires. */
export type StatusInput =
  | { type: "text"; text: string; privacy: StoryPrivacy }
  | { type: "image"; text: string; privacy: StoryPrivacy; image: StoryImage }
  | { type: "video"; text: string; privacy: StoryPrivacy; video: StoryVideo };

/** Returned when the platform has posted the story. */
export interface StatusOutput {
  /** Id of the story on the profile. Empty if the platform posted the story without returning an id. */
  statusId: string;
}
