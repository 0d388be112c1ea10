import tseslint from "typescript-eslint";

/** The compiler checks types. These rules cover what the compiler does not see, and the house rules (.github/CONTRIBUTING.md). */
export default tseslint.config(
  {
    ignores: [
      "dist/**",
      "node_modules/**",
      ".data/**",
      ".cache/**",
      "bench/results/**",
      "deploy/client/built/**",
      "deploy/client/schema.ts",
      "deploy/setup/settings-readers.js",
    ],
  },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ["./router/console/app/tsconfig.json", "./.config/tsconfig.check.json"],
        tsconfigRootDir: new URL("..", import.meta.url).pathname,
      },
    },
    rules: {
      // An interface with promises requires `async`, which also turns exceptions into rejections.
      "@typescript-eslint/require-await": "off",
      // The compiler keeps a narrowed type across `await`, so most findings are signals or states that change meanwhile.
      "@typescript-eslint/no-unnecessary-condition": "off",
      // Reasons of signals and errors of libraries are passed on unchanged.
      "@typescript-eslint/prefer-promise-reject-errors": ["error", { allowThrowingAny: true, allowThrowingUnknown: true }],
      "@typescript-eslint/only-throw-error": ["error", { allowThrowingAny: true, allowThrowingUnknown: true }],
      // Baileys declares the enums of its protocol twice, and GramJS declares its integers as instances of another class.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unsafe-enum-comparison": "off",
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      // `() => void x` returns nothing, and `this: void` means that a method needs no object.
      "@typescript-eslint/no-meaningless-void-operator": "off",
      "@typescript-eslint/no-invalid-void-type": ["error", { allowAsThisParameter: true }],
      // The type of a table's entry follows only from the type of its name.
      "@typescript-eslint/no-unnecessary-type-parameters": "off",
      // Numbers and booleans have one text form; objects and optional values do not.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      // `() => this.stop()` and `return this.cancel(id)` are accepted short forms of a call without a result.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
      // Without this rule, importing only a type could load its module.
      "@typescript-eslint/no-import-type-side-effects": "error",
      // The name of a schema in the API document is the name of its interface.
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { arguments: false, attributes: false } }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrorsIgnorePattern: "^_" }],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports", disallowTypeAnnotations: false }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "no-console": "error",
      // `== null` is the short test for "null or absent", which Redis replies need.
      eqeqeq: ["error", "always", { null: "ignore" }],
      "prefer-const": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "Property[key.name='redirect'][value.value='error']", message: "Its signal is lost: fetchUnredirected." },
        {
          selector:
            "CallExpression[callee.object.name='AbortSignal'][callee.property.name='any'] CallExpression[callee.property.name='timeout']",
          message: "That time-out is lost: openScope.",
        },
      ],
    },
  },
  // A test reads JSON of any shape from a response, and its assertion is the check.
  {
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/no-misused-spread": "off",
      "@typescript-eslint/unbound-method": "off",
    },
  },
  // A rejection in an asynchronous listener would stay unhandled.
  {
    files: ["{shard,router,shared,deploy}/**/*.ts"],
    rules: { "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }] },
  },
  // Command line programs print to the terminal; processes of the gateway use the log.
  { files: ["deploy/**/*.{ts,mjs}", "bench/**/*.ts", "test/soak/run.ts"], rules: { "no-console": "off" } },
);
