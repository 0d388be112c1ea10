/** PATCH /profile, after validation. Absent fields stay as they are. */
export interface ProfileInput {
  name?: string;
  /** An empty text removes it. */
  about?: string;
  /** URL of a picture. An empty text removes it. */
  picture?: string;
}
