import typia from "typia";
import type { ErrorBody } from "../http/response.js";
import { shapesOf } from "./shapes.js";

/** The body of every error. */
export const errorShape = shapesOf(typia.json.schemas<[{ Error: ErrorBody }]>());
