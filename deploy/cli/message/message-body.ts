import { usageError } from "../exit-code.js";
import { fileNameOf, mediaTypeOf } from "./media-type.js";

/** Options for the content of a message or a story. */
export interface ContentOptions {
  readonly text?: string;
  readonly image?: string;
  readonly video?: string;
  readonly audio?: string;
  readonly document?: string;
  readonly location?: string;
  readonly contact?: string;
  readonly mimetype?: string;
  readonly duration?: number;
  readonly size?: number;
  readonly name?: string;
  readonly thumbnail?: string;
}

const kinds = ["image", "video", "audio", "document", "location", "contact"] as const;

/** Returns the content fields of the body: one kind with the text as its caption, or the text alone. */
export function messageBody(options: ContentOptions): Record<string, unknown> {
  const { text } = options;
  const [kind, other] = kinds.filter((name) => options[name] !== undefined);
  if (other !== undefined) throw usageError(`use only one of --${String(kind)} and --${other}`);
  if (kind === undefined) {
    if (text === undefined) throw usageError(`nothing to send; use --text, ${kinds.map((name) => `--${name}`).join(", ")}`);
    return { type: "text", text };
  }
  return { type: kind, text, [kind]: objectOf(kind, options[kind] ?? "", options) };
}

function objectOf(kind: (typeof kinds)[number], value: string, { mimetype, duration, size, name, thumbnail }: ContentOptions): object {
  switch (kind) {
    case "image":
      return { url: value, mimetype: mediaTypeOf(value, mimetype), thumbnail };
    case "video":
      return { url: value, mimetype: mediaTypeOf(value, mimetype), duration: needed(duration, kind, "duration"), thumbnail };
    case "audio":
      return { url: value, mimetype: mediaTypeOf(value, mimetype), duration: needed(duration, kind, "duration") };
    case "document":
      // The file's real size is used; the API only requires a value above 0.
      return { url: value, mimetype: mediaTypeOf(value, mimetype), name: name ?? fileNameOf(value), size: size ?? 1 };
    case "location":
      return { ...coordinates(value), name };
    case "contact": {
      const [, of = "", phone = ""] = /^(.+),([^,]+)$/.exec(value) ?? [];
      if (of === "") throw usageError("--contact must be a name and a number, e.g. --contact 'Bob,+4915112345678'");
      return { name: of.trim(), phone: phone.trim() };
    }
    default:
      return kind satisfies never;
  }
}

function coordinates(value: string): { latitude: number; longitude: number } {
  const [, latitude = "", longitude = ""] = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(value) ?? [];
  if (latitude === "") throw usageError("--location must be latitude and longitude, e.g. --location 52.52,13.405");
  return { latitude: Number(latitude), longitude: Number(longitude) };
}

function needed(value: number | undefined, kind: string, option: string): number {
  if (value === undefined) throw usageError(`--${kind} needs --${option} (seconds)`);
  return value;
}
