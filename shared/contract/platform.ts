/** Variant A is `whatsapp`, variant B is `telegram`. The word stands for `<platform>` in both documents' sentences. */
export const platforms = ["whatsapp", "telegram"] as const;
export type Platform = (typeof platforms)[number];

export function isPlatform(text: unknown): text is Platform {
  return platforms.some((platform) => platform === text);
}
