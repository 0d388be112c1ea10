import typia from "typia";
import { shapesOf } from "../shapes.js";
import type { Bodies, NewsData, Parameters, Replies } from "./types.js";

export const shapes = shapesOf(typia.json.schemas<[Replies, Bodies, Parameters]>());

/** Schemas of server-sent events. */
export const newsShapes = shapesOf(typia.json.schemas<[NewsData]>());
