/* global SwaggerUIBundle */
// The reference of this router's API. All files come from this router.

/** Separates what a reader needs before the calls from the list of errors, which follows the calls. */
const errorsHeading = "\n## Errors\n";

/** Shows the section about errors below the calls instead of above them. */
const errorsLast = ({ React }) => ({
  wrapComponents: {
    Info: (Original) => (props) => {
      const [introduction] = (props.info.get("description") ?? "").split(errorsHeading);
      return React.createElement(Original, { ...props, info: props.info.set("description", introduction) });
    },
    Models:
      (Original, { getComponent, specSelectors }) =>
      (props) => {
        const [, errors] = (specSelectors.info().get("description") ?? "").split(errorsHeading);
        const Markdown = getComponent("Markdown", true);
        const section =
          errors === undefined
            ? null
            : React.createElement("section", { id: "errors" }, React.createElement(Markdown, { source: `## Errors\n${errors}` }));
        return React.createElement(React.Fragment, null, section, React.createElement(Original, props));
      },
  },
});

/** Adds to `part` what the document has at `keys`. Returns it, or `undefined` if `part` has it already. */
const copyAt = (document, part, keys) => {
  const last = keys.length - 1;
  for (const [index, key] of keys.entries()) {
    document = document?.[key];
    if (index === last && part[key] === undefined) return (part[key] = document);
    part = part[key] ??= {};
  }
  return undefined;
};

/** Returns the keys of each place of the document that `value` refers to. */
const referencesIn = (value) => {
  if (typeof value === "string" && value.startsWith("#/"))
    return [
      value
        .slice(2)
        .split("/")
        .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~")),
    ];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(referencesIn) : [];
};

/** Returns a document that has only what is at `path`, and what that refers to. */
const partAt = (document, path) => {
  if (path.length === 0) return document;
  const { openapi, info } = document;
  const part = { openapi, info };
  const places = [path];
  for (const keys of places) places.push(...referencesIn(copyAt(document, part, keys)));
  return part;
};

/** Swagger UI parses the document as YAML, and examines all of it whenever a call is opened. Both take seconds. */
const quick = ({ fn: { resolveSubtree } }) => ({
  fn: { resolveSubtree: (document, path, options) => resolveSubtree(partAt(document, path), path, options) },
  statePlugins: {
    spec: { actions: { parseToJson: (text) => (system) => system.specActions.updateJsonSpec(JSON.parse(text)) } },
  },
});

/** Swagger UI has dark colours under this class: it follows the system's scheme. */
const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followScheme);
followScheme();

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  filter: true,
  syntaxHighlight: { activated: false },
  validatorUrl: null,
  plugins: [errorsLast, quick],
});
