import tseslint from "typescript-eslint";

/** Types are checked by the compiler; what stands here is what the compiler does not see and the house rules (.github/CONTRIBUTING.md) ask for. */
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
      // An interface of promises asks for `async`, which also turns what is thrown into a rejection.
      "@typescript-eslint/require-await": "off",
      // The compiler takes what was read before an `await` for true behind it: most of what this finds is a signal or a state that others change meanwhile.
      "@typescript-eslint/no-unnecessary-condition": "off",
      // A signal's reason and what a library failed with are passed on as they are.
      "@typescript-eslint/prefer-promise-reject-errors": ["error", { allowThrowingAny: true, allowThrowingUnknown: true }],
      "@typescript-eslint/only-throw-error": ["error", { allowThrowingAny: true, allowThrowingUnknown: true }],
      // Baileys declares the enums of its protocol twice, and GramJS its integers as instances of a class that they are not.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unsafe-enum-comparison": "off",
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      // `() => void x` is the short way to say that nothing comes back, and `this: void` that a method needs no object.
      "@typescript-eslint/no-meaningless-void-operator": "off",
      "@typescript-eslint/no-invalid-void-type": ["error", { allowAsThisParameter: true }],
      // The type of an entry of a table is known by the type of its name only.
      "@typescript-eslint/no-unnecessary-type-parameters": "off",
      // Numbers and truth values have one text; objects and what may be missing have none.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      // `() => this.stop()` and `return this.cancel(id)` are the short way to say "then do this and nothing else".
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
      // Without it the import of a type alone would load its module.
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { arguments: false, attributes: false } }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrorsIgnorePattern: "^_" }],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports", disallowTypeAnnotations: false }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "no-console": "error",
      // `== null` is the one short test for "null or absent", which Redis replies need.
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
  // What a test reads from an answer is JSON of any shape, and its assertion is the check.
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
  // An asynchronous listener's rejection has nobody to hear it.
  {
    files: ["{shard,router,shared,deploy}/**/*.ts"],
    rules: { "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }] },
  },
  // What runs at a terminal says there how it goes; processes of the gateway have their log.
  { files: ["deploy/**/*.{ts,mjs}", "bench/**/*.ts", "test/soak/run.ts"], rules: { "no-console": "off" } },
);
