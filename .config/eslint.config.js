import tseslint from "typescript-eslint";

/** Types are checked by the compiler; what stands here is what the compiler does not see and the house style asks for. */
export default tseslint.config(
  { ignores: ["dist/**", "node_modules/**", ".data/**", ".cache/**", "bench/results/**"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { project: ["./.config/tsconfig.check.json"], tsconfigRootDir: new URL("..", import.meta.url).pathname } },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { arguments: false, attributes: false } }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrorsIgnorePattern: "^_" }],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports", disallowTypeAnnotations: false }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "no-console": "error",
      // `== null` is the one short test for "null or absent", which Redis replies need.
      eqeqeq: ["error", "always", { null: "ignore" }],
      "prefer-const": "error",
    },
  },
  // An asynchronous listener's rejection has nobody to hear it.
  { files: ["{shard,router,shared,deploy}/**/*.ts"], rules: { "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }] } },
  { files: ["deploy/**/*.{ts,mjs}", "bench/**/*.ts", "test/soak/run.ts"], rules: { "no-console": "off" } },
);
