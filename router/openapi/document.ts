import { commandRows, type CommandName } from "../../shared/contract/commands.js";
import type { Platform } from "../../shared/contract/platform.js";
import { version } from "../../shared/process/version.js";
import { ownRoutes } from "../api/session-routes.js";
import { routes as telegramRoutes } from "../telegram/routes.js";
import { passkeyRoutes, routes as whatsappRoutes } from "../whatsapp/routes.js";
import { adminCalls } from "./admin/calls.js";
import { liveEventShapes, shapes as adminShapes } from "./admin/shapes.js";
import type { OpenApiDocument, Operation } from "./document-types.js";
import { errorExamples } from "./error-responses.js";
import { errorShape } from "./error-shape.js";
import { headers } from "./response-headers.js";
import { headerParameters, securitySchemes } from "./request-headers.js";
import { namedIn, refTo, type Schemas } from "./json-schema.js";
import { illustrated, type Sample } from "./illustrated.js";
import { mediaPaths } from "./media-link.js";
import { introduction } from "./introduction.js";
import { operation, type Call } from "./operation.js";
import { sessionCalls } from "./session-calls.js";
import { eventSamples, refusedLine, statuses, stories, telegramMessages, whatsappMessages } from "./samples.js";
import { joined, type Shapes } from "./shapes.js";
import { tags } from "./tags.js";
import { allEvents, eventComponents, eventParts, webhooks } from "./events.js";
import { shapes as telegramShapes } from "./telegram/shapes.js";
import { texts as telegramTexts } from "./telegram/texts.js";
import { shapes as whatsappShapes } from "./whatsapp/shapes.js";
import { texts as whatsappTexts } from "./whatsapp/texts.js";

/** Path prefix of each platform; may be empty. */
export type Prefixes = Readonly<Record<Platform, string>>;

/** The prefixes that `npm start` uses. */
export const defaultPrefixes: Prefixes = { whatsapp: "/whatsapp", telegram: "/telegram" };

/**
 * Returns the whole HTTP API as OpenAPI 3.1. Paths come from the route tables, schemas from contract types, errors from their functions.
 * Only descriptions and examples are written by hand.
 */
export function openApiDocument(prefixes: Prefixes = defaultPrefixes): OpenApiDocument {
  const parts = joined([
    { prefix: "WhatsApp", shapes: whatsappShapes },
    { prefix: "Telegram", shapes: telegramShapes },
    { prefix: "Operator", shapes: adminShapes },
    ...eventParts,
  ]);
  const [whatsapp = whatsappShapes, telegram = telegramShapes, admin = adminShapes, ...events] = parts.shapes;
  const calls = [
    ...sessionCalls(
      {
        platform: "whatsapp",
        prefix: prefixes.whatsapp,
        rows: { ...ownRoutes, ...passkeyRoutes, ...whatsappRoutes },
        texts: whatsappTexts,
        shapes: whatsapp,
      },
      isCommandOf("whatsapp"),
    ),
    ...sessionCalls(
      {
        platform: "telegram",
        prefix: prefixes.telegram,
        rows: { ...ownRoutes, ...telegramRoutes },
        texts: telegramTexts,
        shapes: telegram,
      },
      isCommandOf("telegram"),
    ),
    ...adminCalls(admin, parts.components),
  ];
  const components = {
    Error: {},
    ...parts.components,
    ...errorShape.components,
    ...errorShape.replies,
    ...liveEventShapes.replies,
    ...liveEventShapes.components,
    ...eventComponents(events),
  };
  const body = (shapes: Shapes, name: string, values: readonly unknown[]): Sample[] =>
    values.map((value) => ({ schema: shapes.bodies[name] ?? {}, value }));
  const samples = [
    { schema: refTo("ErrorBody"), value: { statusCode: 404, message: "session not found" } },
    ...calls.flatMap(samplesOf),
    ...["WhatsAppSessionRecord", "TelegramSessionRecord"].map(
      (name): Sample => ({ schema: refTo(name), value: { lastError: "login was ended by the platform" } }),
    ),
    ...Object.entries(allEvents).map(([name, value]): Sample => ({ schema: refTo(name), value })),
    ...body(whatsapp, "send-message", whatsappMessages),
    ...body(whatsapp, "post-status", statuses),
    ...body(telegram, "send-message", telegramMessages),
    ...body(telegram, "post-status", stories),
    { schema: admin.replies["change-sessions"] ?? {}, value: refusedLine },
    ...Object.entries(eventSamples).map(([name, value]): Sample => ({ schema: refTo(name), value })),
  ];
  const paths = { ...pathsOf(calls, components), ...mediaPaths(prefixes) };
  const referring = JSON.stringify(paths);
  const described = webhooks();
  return {
    openapi: "3.1.0",
    info: {
      title: "Trunkline",
      version,
      summary: "HTTP gateway over many logged-in WhatsApp and Telegram accounts",
      description: introduction,
      contact: { name: "Trunkline" },
      license: { name: "GPL-3.0-or-later", identifier: "GPL-3.0-or-later" },
    },
    servers: [{ url: "/", description: "Host of this document." }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: described,
    components: {
      schemas: illustrated(namedIn([paths, described], components), samples),
      examples: Object.fromEntries(Object.entries(errorExamples).filter(([name]) => referring.includes(`/examples/${name}"`))),
      parameters: headerParameters,
      headers,
      securitySchemes,
    },
  };
}

function isCommandOf<P extends Platform>(platform: P): (name: string) => name is CommandName<P> {
  return (name): name is CommandName<P> => Object.hasOwn(commandRows[platform], name);
}

function pathsOf(calls: readonly Call[], components: Schemas): Record<string, Record<string, Operation>> {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const call of calls) {
    const { path, method, operation: described } = operation(call, components);
    (paths[path] ??= {})[method] = described;
  }
  return paths;
}

/** Returns the example values of a call's body and of its success. */
function samplesOf({ text, body, success }: Call): Sample[] {
  const requests = Object.values(text.requests ?? {}).map(({ body: value }) => ({ schema: body ?? {}, value }));
  const [content] = Object.values(success.content ?? {});
  return [...requests, ...(content === undefined ? [] : [{ schema: content.schema, value: text.reply }])];
}
