import sharp from "sharp";

// libvips reads some 40 formats, most through old C libraries. Six stay open; of HEIF files only the AVIF decoder is included.
sharp.block({ operation: ["VipsForeignLoad"] });
const loaders = ["Jpeg", "Png", "Webp", "Nsgif", "Tiff", "Heif"];
sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) });

// Tenants' pictures differ, so a cache would only hold memory. The pool decides about parallelism.
sharp.cache(false);
sharp.concurrency(1);

/** Limits for one decoder: 50 megapixels, 10 s. 268 megapixels in a 1 MB PNG cost 205 MB and 1.9 s without them. */
export const maxPixels = 50_000_000;
/** Limit for a JPEG that is decoded row by row, which takes little memory: phones make pictures of 108 and 200 megapixels. */
export const maxStreamedPixels = 250_000_000;
export const codecSeconds = 10;

/** sharp with only the allowed loaders. All code here must use this one. */
export const codec = sharp;
