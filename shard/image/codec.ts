import sharp from "sharp";

// libvips reads some 40 formats, most through old C libraries. Three stay open.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"] });

// Tenants' pictures differ, a cache would only hold memory; parallelism is the pool's business.
sharp.cache(false);
sharp.concurrency(1);

/** Limits for one decoder: 50 megapixels, 10 s. 268 megapixels in a 1 MB PNG cost 205 MB and 1.9 s without them. */
export const maxPixels = 50_000_000;
export const codecSeconds = 10;

/** sharp with its loaders cut down to JPEG, PNG and WebP. The only door to it in this project. */
export const codec = sharp;
