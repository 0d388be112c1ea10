import { adminRoutes, signInRoute, type AdminRoute } from "../../admin/admin-routes.js";
import { rolesFor, type Action } from "../../tenant/judge.js";
import type { AnyCallText } from "../call-text.js";
import type { ResponseObject, MediaType } from "../document-types.js";
import { routerErrors } from "../errors/router-errors.js";
import { streamHeaders } from "../response-headers.js";
import { parameter, tracing } from "../request-headers.js";
import { nameIn, refTo, type JsonSchema, type Schemas } from "../json-schema.js";
import { jsonResponse, type Call } from "../operation.js";
import { idOf } from "../session-calls.js";
import type { Shapes } from "../shapes.js";
import { liveEventShapes } from "./shapes.js";
import { texts } from "./texts.js";

/** Returns the operators' calls. The table of routes says which roles may make each. */
export function adminCalls(shapes: Shapes, components: Schemas): Call[] {
  const rows: Readonly<Record<string, AdminRoute>> = adminRoutes;
  const all: Readonly<Record<string, AnyCallText>> = texts;
  const call = (name: string, { route, action, compressible }: DescribedRoute): Call => {
    const text = all[name];
    if (text === undefined) throw new Error(`no text for admin ${name}`);
    const needs = action === undefined ? "" : `\n\nRequires a key with the role ${listed(rolesFor(action).map((role) => `\`${role}\``))}.`;
    return {
      id: idOf("admin", name),
      route,
      text: { ...text, description: `${text.description ?? `${text.summary}.`}${needs}` },
      security: action === undefined ? [] : [{ apiKey: [] }],
      body: shapes.bodies[name],
      parameters: shapes.parameters[name],
      errors: action === undefined ? [] : ofKeys,
      success: successOf(name, text, shapes.replies[name] ?? {}, compressible === true, components),
      headerParameters: [...(name === "stream-events" ? [parameter("LastEventId")] : []), ...tracing],
      ruleErrors: [],
    };
  };
  return [call("sign-in", { route: signInRoute }), ...Object.entries(rows).map(([name, row]) => call(name, row))];
}

/** `action` is absent for routes that need no key. */
interface DescribedRoute extends Pick<AdminRoute, "compressible"> {
  readonly route: string;
  readonly action?: Action;
}

const ofKeys = [routerErrors.invalidApiKey, routerErrors.roleRefused, routerErrors.administrationFromElsewhere];

function listed(items: readonly string[]): string {
  return items.length === 1 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} or ${items.at(-1) ?? ""}`;
}

function successOf(name: string, text: AnyCallText, schema: JsonSchema, isPacked: boolean, components: Schemas): ResponseObject {
  switch (name) {
    case "stream-events":
      return {
        description:
          "Server-sent events. Each event type has a schema for its data: `LiveSessionEvent`, `LiveCodeEvent`, `LiveRestrictionEvent`, `LiveDeliveriesEvent`, `LiveSlotsEvent`, `LiveLoadEvent`, `LiveMemberEvent`, `LiveRotationEvent`, `LiveMissedEvent` and `LiveEndEvent`.",
        headers: streamHeaders,
        content: {
          "text/event-stream": {
            schema: { ...schema, contentSchema: { anyOf: Object.keys(liveEventShapes.replies).map(refTo) } },
            examples: { begin: { summary: "Start of a stream", value: text.reply } },
          },
        },
      };
    case "change-sessions":
      return {
        description: `One line of JSON for each session, sent when that session is done. ${ofLines}`,
        headers: streamHeaders,
        content: { "application/x-ndjson": linesOf(schema, text.reply) },
      };
    case "list-sessions": {
      const response = jsonResponse(schema, text, isPacked, streamHeaders);
      const [row] = (text.reply as { docs: unknown[] }).docs;
      const rowSchema = components[nameIn(schema) ?? ""]?.properties?.["docs"]?.items ?? {};
      return {
        ...response,
        description: `One page of sessions; as \`application/x-ndjson\` all sessions, one line of JSON for each. ${ofLines}`,
        content: { ...response.content, "application/x-ndjson": linesOf(rowSchema, row) },
      };
    }
    default:
      return jsonResponse(schema, text, isPacked);
  }
}

const ofLines = "The `application/x-ndjson` schema describes one line. If the response is cut short, the last line is an error.";

/** JSON lines. OpenAPI 3.1 has no keyword for a sequence, so the schema describes one line. */
function linesOf(row: JsonSchema, example: unknown): MediaType {
  return { schema: { oneOf: [row, refTo("Error")] }, examples: { line: { summary: "One line", value: example } } };
}
