import typia from "typia";
import { shapesOf } from "../shapes.js";
import type { Bodies, Parameters, Replies } from "./types.js";

export const shapes = shapesOf(typia.json.schemas<[Replies, Bodies, Parameters]>());
