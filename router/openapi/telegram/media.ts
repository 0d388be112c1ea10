import { mediaMaxAgeSeconds } from "../../../shared/limits.js";
import { mediaVariants } from "../../../shared/contract/media.js";
import { mediaPath } from "../../telegram/get-media.js";
import { errorResponses } from "../error-responses.js";
import type { ResponseObject, Operation, Parameter } from "../document-types.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { everyHeader } from "../response-headers.js";
import { tracing } from "../request-headers.js";
import { templateOf } from "../operation.js";
import { telegramErrors } from "./errors.js";

/** The last segment of the link is one parameter in the route and two in the document. */
const template = templateOf(mediaPath).replace("{file}", "{signature}.{ext}");

/** Returns the call of media links. Clients use a link unchanged; the document shows its parts. */
export function mediaPaths(prefix: string): Readonly<Record<string, Readonly<Record<string, Operation>>>> {
  return { [`${prefix}${template}`]: { get: getMedia } };
}

const text = { type: "string", minLength: 1 };

function inPath(name: string, description: string, example: string, schema = text): Parameter {
  return { name, in: "path", required: true, description, schema, example };
}

const pathParameters = [
  inPath("platformId", "Id of the session that has access to the file.", "6b01aa5342b4f53c9f4c7e33"),
  inPath("chatId", "Id of the chat with the file.", "-1002000000001"),
  inPath("messageId", "Id of the message, or of the profile photo.", "101"),
  {
    ...inPath(
      "variant",
      "`photo`: the largest size, up to 2560 pixels; `thumb`: the thumbnail; `file`: a video, sticker or document; `profile`: a small profile photo.",
      "photo",
    ),
    schema: { type: "string", enum: mediaVariants },
  },
  inPath("signature", "Signature of the link.", "aTUb_LcflPGV6HtpS_dybURhJX6Y"),
  inPath("ext", "File extension.", "jpg"),
];

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
function withRange(responses: Readonly<Record<string, ResponseObject>>): Record<string, ResponseObject> {
  const { "416": response, ...others } = responses;
  return response === undefined ? others : { ...others, "416": { ...response, headers: { ...response.headers, ...rangeHeader } } };
}

const getMedia: Operation = {
  operationId: "telegramGetMedia",
  tags: ["Telegram media"],
  summary: "Get a media file",
  description:
    "Take the link from `url` or `thumbnail` of a message or event, and use it unchanged. The link is signed, so the request needs no credentials. Anyone with the link can open the file until its message is deleted.",
  security: [],
  parameters: [...pathParameters, range, ifRange, ifNoneMatch, ...tracing],
  responses: {
    "200": { description: "The whole file.", headers: fileHeaders, content: file },
    "206": part,
    "304": { description: "The file has not changed: `If-None-Match` has its tag.", headers: fileHeaders },
    ...withRange(
      errorResponses([
        telegramErrors.invalidPlatformId,
        telegramErrors.mediaNotFound,
        telegramErrors.rangeNotSatisfiable,
        sharedErrors.sessionNotConnected,
        sharedErrors.internal,
        sharedErrors.tooManyRequests,
        telegramErrors.askedToWait,
        telegramErrors.mediaTimeout,
        sharedErrors.serverBusy,
        sharedErrors.storageUnavailable,
      ]),
    ),
  },
};
