import typia from "typia";
import { shapesOf } from "../shapes.js";
import type { Bodies, Events, Parameters, Replies } from "./types.js";

export const shapes = shapesOf(typia.json.schemas<[Replies, Bodies, Parameters]>());

/** Schemas of the webhook bodies. */
export const eventShapes = shapesOf(typia.json.schemas<[Events]>());
