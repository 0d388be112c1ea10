/** What a message says of each kind of file. `purpose` selects the derivation of its keys. */
export interface FileShape {
  readonly field: "imageMessage" | "videoMessage" | "ptvMessage" | "audioMessage" | "stickerMessage" | "documentMessage";
  readonly sample: string;
  readonly purpose: "Image" | "Video" | "Audio" | "Document";
  readonly hasCaption?: true;
  readonly hasThumbnail?: true;
  /** Phones play it while it loads. */
  readonly isStream?: true;
  readonly fields: Readonly<Record<string, unknown>>;
}

const clip = { seconds: 2, width: 320, height: 240 };

export const fileKinds = {
  image: {
    field: "imageMessage",
    sample: "small.jpg",
    purpose: "Image",
    hasCaption: true,
    hasThumbnail: true,
    fields: { width: 800, height: 600 },
  },
  video: {
    field: "videoMessage",
    sample: "video.mp4",
    purpose: "Video",
    hasCaption: true,
    hasThumbnail: true,
    isStream: true,
    fields: { seconds: 3, width: 720, height: 1_280 },
  },
  animation: {
    field: "videoMessage",
    sample: "silent.mp4",
    purpose: "Video",
    hasCaption: true,
    hasThumbnail: true,
    isStream: true,
    fields: { ...clip, gifPlayback: true },
  },
  round: { field: "ptvMessage", sample: "silent.mp4", purpose: "Video", hasThumbnail: true, isStream: true, fields: clip },
  audio: { field: "audioMessage", sample: "audio.mp3", purpose: "Audio", isStream: true, fields: { seconds: 3, ptt: false } },
  voice: {
    field: "audioMessage",
    sample: "voice.ogg",
    purpose: "Audio",
    isStream: true,
    fields: { seconds: 2, ptt: true, waveform: Buffer.from(Array.from({ length: 64 }, (_, n) => n)) },
  },
  sticker: { field: "stickerMessage", sample: "sticker.webp", purpose: "Image", fields: { width: 512, height: 512, isAnimated: false } },
  document: {
    field: "documentMessage",
    sample: "document.pdf",
    purpose: "Document",
    hasCaption: true,
    hasThumbnail: true,
    fields: { fileName: "document.pdf", title: "document.pdf", pageCount: 1 },
  },
} as const satisfies Readonly<Record<string, FileShape>>;

export type FileKind = keyof typeof fileKinds;

export function shapeOf(kind: FileKind): FileShape {
  return fileKinds[kind];
}
