import { describe, expect, it } from "vitest";
import { sentences, type Finding, type Wording } from "../../../../shared/contract/rules.js";

const typeFirst: Wording = { missingParameter: "type-first", oneOf: { privacy: ["everyone", "contacts"] } };
const emptyFirst: Wording = { missingParameter: "empty-first" };
const missingIsEmpty: Wording = { missingParameter: "empty-first", missing: "empty" };

describe("sentences", () => {
  it.each<[string, Finding, Wording, string[]]>([
    ["missing string", { path: "$input.text", expected: "(string & NotEmpty)" }, typeFirst, ["text should not be empty"]],
    ["null string", { path: "$input.text", expected: "(string & NotEmpty)", value: null }, typeFirst, ["text should not be empty"]],
    ["empty string", { path: "$input.text", expected: "string & NotEmpty", value: "" }, typeFirst, ["text should not be empty"]],
    ["number for a string", { path: "$input.text", expected: "(string & NotEmpty)", value: 7 }, typeFirst, ["text must be a string"]],
    [
      "missing parameter, variant B",
      { path: "$input.groupId", expected: "(string & Parameter)" },
      typeFirst,
      ["groupId must be a string", "groupId should not be empty"],
    ],
    [
      "missing parameter, variant A",
      { path: "$input.groupId", expected: "(string & Parameter)" },
      emptyFirst,
      ["groupId should not be empty", "groupId must be a string"],
    ],
    ["empty parameter", { path: "$input.groupId", expected: "string & Parameter", value: "" }, emptyFirst, ["groupId should not be empty"]],
    [
      "repeated parameter",
      { path: "$input.groupId", expected: "(string & Parameter)", value: ["a", "b"] },
      typeFirst,
      ["groupId must be a string"],
    ],
    ["missing object", { path: "$input.image", expected: "__type" }, typeFirst, ["image should not be empty"]],
    ["empty text for an object", { path: "$input.image", expected: "__type", value: "" }, typeFirst, ["image should not be empty"]],
    ["text for an object", { path: "$input.image", expected: "__type", value: "x" }, typeFirst, ["image must be an object"]],
    [
      "nested field",
      { path: "$input.image.url", expected: "(string & NotEmpty & Bytes<2048>)" },
      typeFirst,
      ["image.url should not be empty"],
    ],
    [
      "too long",
      { path: "$input.image.url", expected: "string & Bytes<2048>", value: "x" },
      typeFirst,
      ["image.url must be at most 2048 bytes"],
    ],
    ["optional string", { path: "$input.text", expected: "(string | undefined)", value: 1 }, typeFirst, ["text must be a string"]],
    [
      "number",
      { path: "$input.video.duration", expected: "(number & Positive)", value: "1" },
      typeFirst,
      ["video.duration must be a positive number"],
    ],
    [
      "missing number",
      { path: "$input.video.duration", expected: "(number & Positive)" },
      typeFirst,
      ["video.duration must be a positive number"],
    ],
    [
      "missing number, variant A",
      { path: "$input.video.duration", expected: "(number & Positive)" },
      missingIsEmpty,
      ["video.duration should not be empty"],
    ],
    [
      "empty text for a number, variant A",
      { path: "$input.video.duration", expected: "(number & Positive)", value: "" },
      missingIsEmpty,
      ["video.duration should not be empty"],
    ],
    [
      "number, variant A",
      { path: "$input.video.duration", expected: "number & Positive", value: 0 },
      missingIsEmpty,
      ["video.duration must be a positive number"],
    ],
    [
      "coordinate of 0",
      { path: "$input.location.latitude", expected: "number & Coordinate<90>", value: 0 },
      emptyFirst,
      ["location.latitude should not be empty"],
    ],
    [
      "missing coordinate",
      { path: "$input.location.latitude", expected: "(number & Coordinate<90>)" },
      emptyFirst,
      ["location.latitude should not be empty"],
    ],
    [
      "empty text for a coordinate",
      { path: "$input.location.latitude", expected: "(number & Coordinate<90>)", value: "" },
      emptyFirst,
      ["location.latitude should not be empty"],
    ],
    [
      "coordinate out of range",
      { path: "$input.location.latitude", expected: "number & Coordinate<90>", value: 91 },
      emptyFirst,
      ["location.latitude must be a number from -90 to 90"],
    ],
    [
      "one of",
      { path: "$input.privacy", expected: '("a" | undefined)', value: "x" },
      typeFirst,
      ["privacy must be one of the following values: everyone, contacts"],
    ],
    ["no object at all", { path: "$input", expected: "Form", value: "x" }, typeFirst, ["body must be an object"]],
  ])("%s", (_, finding, wording, expected) => {
    expect(sentences([finding], wording)).toEqual(expected);
  });

  it("keeps the order of the findings", () => {
    const findings = [
      { path: "$input.a", expected: "string & NotEmpty", value: "" },
      { path: "$input.b", expected: "(string & NotEmpty)", value: 1 },
    ];
    expect(sentences(findings, typeFirst)).toEqual(["a should not be empty", "b must be a string"]);
  });
});
