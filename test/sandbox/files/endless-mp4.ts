/** Returns an MP4 of 604 bytes that claims this number of samples. A reader that indexes them needs 24 bytes for each. */
export function endlessMp4(samples = 40_000_000): Buffer {
  const entry = box(
    "mjpg",
    numbers(0),
    Buffer.from([0, 0, 0, 1]),
    numbers(0, 0, 0, 0),
    Buffer.from([0, 64, 0, 64]),
    numbers(resolution, resolution, 0),
    Buffer.from([0, 1]),
    Buffer.alloc(32),
    Buffer.from([0, 24, 255, 255]),
  );
  const table = box(
    "stbl",
    box("stsd", numbers(0, 1), entry),
    box("stts", numbers(0, 1, samples, 1)),
    box("stsc", numbers(0, 1, 1, samples, 1)),
    box("stsz", numbers(0, 1, samples)),
    box("stco", numbers(0, 1, 48)),
  );
  const place = box("dinf", box("dref", numbers(0, 1), box("url ", numbers(1))));
  const kind = box("hdlr", numbers(0, 0), Buffer.from("vide"), numbers(0, 0, 0), Buffer.from("v\0"));
  const media = box(
    "mdia",
    box("mdhd", numbers(0, 0, 0, 1000, samples, 0)),
    kind,
    box("minf", box("vmhd", numbers(1, 0, 0)), place, table),
  );
  const track = box("trak", box("tkhd", numbers(3, 0, 0, 1, 0, samples, 0, 0, 0, 0), upright, numbers(64 << 16, 64 << 16)), media);
  const movie = box(
    "moov",
    box("mvhd", numbers(0, 0, 0, 1000, samples, 0x10000, 0x01000000, 0, 0), upright, numbers(0, 0, 0, 0, 0, 0, 2)),
    track,
  );
  return Buffer.concat([box("ftyp", Buffer.from("isom"), numbers(512), Buffer.from("isommp41")), box("mdat", Buffer.alloc(16, 1)), movie]);
}

const resolution = 72 << 16;

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
  return bytes;
}

const upright = numbers(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

function box(name: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([numbers(body.length + 8), Buffer.from(name, "latin1"), body]);
}
