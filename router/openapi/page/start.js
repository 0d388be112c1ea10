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
  plugins: [errorsLast],
});
