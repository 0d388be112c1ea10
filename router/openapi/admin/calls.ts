import { adminRoutes, signInRoute, type AdminRoute } from "../../admin/admin-routes.js";
import { rolesFor, type Action } from "../../tenant/judge.js";
import type { AnyCallText } from "../call-text.js";
import type { Answer } from "../document-types.js";
import { routerErrors } from "../errors/router-errors.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { streamHeaders } from "../answer-headers.js";
import { parameter, tracing } from "../request-headers.js";
import { refTo, type JsonSchema } from "../json-schema.js";
import { jsonAnswer, type Call } from "../operation.js";
import { idOf } from "../session-calls.js";
import type { Shapes } from "../shapes.js";
import { newsShapes } from "./shapes.js";
import { texts } from "./texts.js";

/** The operators' calls. Which roles may do it comes from the table of routes. */
export function adminCalls(shapes: Shapes): Call[] {
  const rows: Readonly<Record<string, AdminRoute>> = adminRoutes;
  const all: Readonly<Record<string, AnyCallText>> = texts;
  const call = (name: string, { route, action, compressible }: ToldRoute): Call => {
    const text = all[name];
    if (text === undefined) throw new Error(`no text for admin ${name}`);
    const needs = action === undefined ? "" : `\n\nNeeds a key with the role ${listed(rolesFor(action).map((role) => `\`${role}\``))}.`;
    return {
      id: idOf("admin", name),
      route,
      text: { ...text, description: `${text.description ?? `${text.summary}.`}${needs}` },
      security: action === undefined ? [] : [{ apiKey: [] }],
      body: shapes.bodies[name],
      parameters: shapes.parameters[name],
      errors: [sharedErrors.invalidHeader, ...(action === undefined ? [] : ofKeys)],
      success: successOf(name, text, shapes.replies[name] ?? {}, compressible === true),
      headerParameters: [...(name === "stream-events" ? [parameter("LastEventId")] : []), ...tracing],
      told: [],
    };
  };
  return [call("sign-in", { route: signInRoute }), ...Object.entries(rows).map(([name, row]) => call(name, row))];
}

/** `action`: absent where no key is asked for. */
interface ToldRoute extends Pick<AdminRoute, "compressible"> {
  readonly route: string;
  readonly action?: Action;
}

const ofKeys = [routerErrors.invalidApiKey, routerErrors.roleRefused, routerErrors.administrationFromElsewhere];

function listed(words: readonly string[]): string {
  return words.length === 1 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}

function successOf(name: string, text: AnyCallText, schema: JsonSchema, isPacked: boolean): Answer {
  switch (name) {
    case "stream-events":
      return {
        description:
          "Events as they come. The data of each type is the schema of its name: `SessionNews`, `CodeNews`, `DeliveriesNews`, `SlotsNews`, `LoadNews`, `MemberNews`, `RotationNews` and `MissedNews`.",
        headers: streamHeaders,
        content: {
          "text/event-stream": {
            schema: { ...schema, contentSchema: { anyOf: Object.keys(newsShapes.replies).map(refTo) } },
            examples: { begin: { summary: "How a stream begins", value: text.reply } },
          },
        },
      };
    case "change-sessions":
      return {
        description: "A line of JSON for each session, as it is done.",
        headers: streamHeaders,
        content: { "application/x-ndjson": { schema, examples: { line: { summary: "One line", value: text.reply } } } },
      };
    case "list-sessions": {
      const answer = jsonAnswer(schema, text, isPacked, streamHeaders);
      const [row] = (text.reply as { docs: unknown[] }).docs;
      const lines = { schema: schema.properties?.["docs"]?.items ?? {}, examples: { line: { summary: "One line", value: row } } };
      return { ...answer, content: { ...answer.content, "application/x-ndjson": lines } };
    }
    default:
      return jsonAnswer(schema, text, isPacked);
  }
}
