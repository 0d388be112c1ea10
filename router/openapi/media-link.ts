import { mediaMaxAgeSeconds } from "../../shared/limits.js";
import { mediaVariants } from "../../shared/contract/media.js";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { sealedVariants } from "../../shared/media/file-facts.js";
import type { ErrorText } from "./errors/error-text.js";
import type { TagName } from "./tags.js";
import { whatsappErrors } from "./whatsapp/errors.js";
import { mediaPath } from "../media/get-media.js";
import { errorResponses } from "./error-responses.js";
import type { ResponseObject, Operation, Parameter } from "./document-types.js";
import { sharedErrors } from "./errors/shared-errors.js";
import { everyHeader } from "./response-headers.js";
import { tracing } from "./request-headers.js";
import { templateOf } from "./operation.js";
import { telegramErrors } from "./telegram/errors.js";

/** The last segment of the link is one parameter in the route and two in the document. */
const template = templateOf(mediaPath).replace("{file}", "{signature}.{ext}");

/** Returns the calls of media links. Clients use a link unchanged; the document shows its parts. */
export function mediaPaths(prefixes: Readonly<Record<Platform, string>>): Readonly<Record<string, Readonly<Record<string, Operation>>>> {
  return Object.fromEntries(platforms.map((platform) => [`${prefixes[platform]}${template}`, { get: getMedia(linkTexts[platform]) }]));
}

const text = { type: "string", minLength: 1 };

function inPath(name: string, description: string, example: string, schema = text): Parameter {
  return { name, in: "path", required: true, description, schema, example };
}

/** What differs between the links of the platforms. */
interface LinkTexts {
  readonly operationId: string;
  readonly tag: TagName;
  readonly until: string;
  readonly chatId: string;
  readonly messageId: readonly [description: string, example: string];
  readonly variant: readonly [description: string, values: readonly string[]];
  readonly signature: readonly [description: string, example: string];
  readonly waits: readonly ErrorText[];
}

const linkTexts: Readonly<Record<Platform, LinkTexts>> = {
  whatsapp: {
    operationId: "whatsappGetMedia",
    tag: "WhatsApp media",
    until: "until the session is deleted. If WhatsApp no longer has the file, the account's phone must be online to upload it again",
    chatId: "6281234567890@s.whatsapp.net",
    messageId: ["Id of the message.", "3EB0C431C26A1916E07A"],
    variant: ["`file`: the whole file; `thumb`: its thumbnail.", sealedVariants],
    signature: [
      "Sealed facts of the file, such as its encryption key.",
      "aTUb_LcflPGV6HtpS_dybURhJX6YqB8n2Vw0kM3sC1oZr5uQe7tL9xDgFhJ4iKpA",
    ],
    waits: [whatsappErrors.askedToWait, whatsappErrors.mediaTimeout],
  },
  telegram: {
    operationId: "telegramGetMedia",
    tag: "Telegram media",
    until: "until its message is deleted",
    chatId: "-1002000000001",
    messageId: ["Id of the message, or of the profile photo.", "101"],
    variant: [
      "`photo`: the largest size, up to 2560 pixels; `thumb`: the thumbnail; `file`: a video, sticker or document; `profile`: a small profile photo.",
      mediaVariants,
    ],
    signature: ["Signature of the link.", "aTUb_LcflPGV6HtpS_dybURhJX6Y"],
    waits: [telegramErrors.askedToWait, telegramErrors.mediaTimeout],
  },
};

function pathParameters({ chatId, messageId, variant, signature }: LinkTexts): Parameter[] {
  const [description, values] = variant;
  return [
    inPath("platformId", "Id of the session that has access to the file.", "6b01aa5342b4f53c9f4c7e33"),
    inPath("chatId", "Id of the chat with the file.", chatId),
    inPath("messageId", ...messageId),
    { ...inPath("variant", description, values[0] ?? ""), schema: { type: "string", enum: values } },
    inPath("signature", ...signature),
    inPath("ext", "File extension.", "jpg"),
  ];
}

function inHeader(name: string, description: string, example: string): Parameter {
  return { name, in: "header", required: false, description, schema: { type: "string" }, example };
}

const range = inHeader("Range", "One range of bytes. The gateway ignores several ranges and other units.", "bytes=0-1048575");
const ifRange = inHeader("If-Range", "Entity tag. The range applies only if the file still has this tag.", '"6f1c"');
const ifNoneMatch = inHeader("If-None-Match", "Entity tags of copies that the client already has.", '"6f1c"');

const fileHeaders = {
  ...everyHeader,
  "Accept-Ranges": { description: "The file can be requested in ranges.", schema: { type: "string", enum: ["bytes"] }, example: "bytes" },
  "Cache-Control": {
    description: "Browsers may cache the file for a day.",
    schema: { type: "string" },
    example: `public, max-age=${mediaMaxAgeSeconds}`,
  },
  "Content-Disposition": {
    description: "Tells a browser to show or to save the file, with a file name.",
    schema: { type: "string" },
    example: "inline",
  },
  "Content-Security-Policy": {
    description: "Stops browsers from running scripts in the file.",
    schema: { type: "string" },
    example: "default-src 'none'; sandbox",
  },
  "X-Content-Type-Options": {
    description: "Stops browsers from guessing the media type.",
    schema: { type: "string", enum: ["nosniff"] },
    example: "nosniff",
  },
  ETag: { description: "Changes with the bytes of the file.", schema: { type: "string" }, example: '"6f1c"' },
};

const rangeHeader = {
  "Content-Range": {
    description: "Range of the response and size of the file. With status 416 the size only.",
    schema: { type: "string" },
    example: "bytes 0-1048575/5242880",
  },
};

/** Raw bytes, without a JSON schema. */
const file = { "*/*": { schema: {} } };

const part: ResponseObject = {
  description: "The requested range, up to the end of the file.",
  headers: { ...fileHeaders, ...rangeHeader },
  content: file,
};

/** Adds the file's size to the response for a range outside of the file. */
function withRange(answers: Readonly<Record<string, ResponseObject>>): Record<string, ResponseObject> {
  const { "416": answer, ...others } = answers;
  return answer === undefined ? others : { ...others, "416": { ...answer, headers: { ...answer.headers, ...rangeHeader } } };
}

function getMedia(texts: LinkTexts): Operation {
  return {
    operationId: texts.operationId,
    tags: [texts.tag],
    summary: "Get a media file",
    description: `Take the link from \`url\` or \`thumbnail\` of a message or event, and use it unchanged. The link is signed, so the request needs no credentials. Anyone with the link can open the file ${texts.until}.`,
    security: [],
    parameters: [...pathParameters(texts), range, ifRange, ifNoneMatch, ...tracing],
    responses: {
      "200": { description: "The whole file.", headers: fileHeaders, content: file },
      "206": part,
      "304": { description: "The file has not changed: `If-None-Match` has its tag.", headers: fileHeaders },
      ...withRange(
        errorResponses([
          sharedErrors.invalidPlatformId,
          sharedErrors.mediaNotFound,
          sharedErrors.rangeNotSatisfiable,
          sharedErrors.sessionNotConnected,
          sharedErrors.internal,
          sharedErrors.tooManyRequests,
          ...texts.waits,
          sharedErrors.serverBusy,
          sharedErrors.storageUnavailable,
        ]),
      ),
    },
  };
}
