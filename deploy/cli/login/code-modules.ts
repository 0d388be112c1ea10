/** QR code as rows of modules; true means dark. */
export type Modules = readonly (readonly boolean[])[];

/** Greyscale pixels, one byte each. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A code's size in modules is 17 + 4 per version. */
const isSize = (modules: number): boolean => modules >= 21 && modules <= 177 && (modules - 17) % 4 === 0;

/**
 * Reads the modules from the gateway's PNG; undefined if the picture is not such a code. The picture is exact to the pixel: its top row
 * starts with the seven modules of a finder pattern, which give the module width.
 */
export function modulesOf({ width, height, pixels }: Picture): Modules | undefined {
  const isDark = (x: number, y: number): boolean => (pixels[y * width + x] ?? 255) < 128;
  const first = pixels.findIndex((pixel) => pixel < 128);
  if (first < 0) return undefined;
  const [left, top] = [first % width, Math.floor(first / width)];
  let right = width - 1;
  while (right > left && !isDark(right, top)) right -= 1;
  let finder = 0;
  while (left + finder < width && isDark(left + finder, top)) finder += 1;
  const module = finder / 7;
  const size = Math.round((right - left + 1) / module);
  if (!isSize(size) || top + Math.floor(size * module) > height) return undefined;
  const middle = (index: number): number => Math.floor((index + 0.5) * module);
  return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => isDark(left + middle(x), top + middle(y))));
}
