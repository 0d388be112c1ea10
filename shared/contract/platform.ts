/** Variant A is `whatsapp`, variant B is `telegram`. The name replaces `<platform>` in the texts of both documents. */
export const platforms = ["whatsapp", "telegram"] as const;
export type Platform = (typeof platforms)[number];

export function isPlatform(text: unknown): text is Platform {
  return platforms.some((platform) => platform === text);
}
