/* global SwaggerUIBundle */
// The reference of this router's own API. Nothing is asked of anybody else.
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  filter: true,
  syntaxHighlight: { activated: false },
  validatorUrl: null,
});
