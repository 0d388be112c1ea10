import sharp from "sharp";

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Returns a colourful test picture. Its fine detail makes scaling and compression measurable. */
export async function drawPicture(hue: number, { width, height }: PictureSize, label: string): Promise<Buffer> {
  const circles = Array.from({ length: 24 }, (_, i) => {
    const x = `${(i * 37) % 100}%`;
    const y = `${(i * 53) % 100}%`;
    return `<circle cx="${x}" cy="${y}" r="${4 + ((i * 7) % 12)}%" fill="hsl(${(hue + i * 15) % 360},70%,55%)" fill-opacity="0.45"/>`;
  }).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="hsl(${hue},75%,40%)"/><stop offset="1" stop-color="hsl(${(hue + 80) % 360},75%,65%)"/></linearGradient></defs>
<rect width="100%" height="100%" fill="url(#g)"/>${circles}
<text x="50%" y="52%" font-size="${Math.round(Math.min(width, height) / 5)}" font-weight="bold" fill="#fff" text-anchor="middle" font-family="sans-serif">${label}</text></svg>`;
  return await sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toBuffer();
}

/** Scales a picture to fit the box, as the platform does for each photo size. */
export async function scaleToJpeg(picture: Buffer, box: number): Promise<{ bytes: Buffer; original: PictureSize } & PictureSize> {
  const { autoOrient: original } = await sharp(picture).metadata();
  const { data, info } = await sharp(picture)
    .rotate()
    .resize({ width: box, height: box, fit: "inside", withoutEnlargement: true })
    .flatten({ background: "#ffffff" })
    .jpeg({ quality: 82 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, original };
}
