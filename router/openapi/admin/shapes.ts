import typia from "typia";
import { shapesOf } from "../shapes.js";
import type { Bodies, EventData, Parameters, Replies } from "./types.js";

export const shapes = shapesOf(typia.json.schemas<[Replies, Bodies, Parameters]>());

/** Schemas of server-sent events. */
export const liveEventShapes = shapesOf(typia.json.schemas<[EventData]>());
