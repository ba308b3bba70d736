// The rules for all JavaScript of the project; line lengths are the formatter's business.

import js from "@eslint/js";
import globals from "globals";

const STRICT = {
  "no-unused-vars": ["error", { args: "after-used", caughtErrors: "all" }],
  "consistent-return": "error",
  curly: ["error", "multi-line"],
  eqeqeq: "error",
  "no-implicit-globals": "error",
  "no-shadow": "error",
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  "prefer-template": "error",
};

export default [
  { ignores: ["build/", ".venv/", "**/node_modules/"] },
  js.configs.recommended,
  { rules: STRICT },
  {
    files: ["web/static/**/*.js", "companion/**/page.js"],
    languageOptions: { globals: globals.browser },
  },
  { files: ["**/*.mjs"], languageOptions: { globals: globals.node } },
  { files: ["tests/web/js/*.mjs"], languageOptions: { globals: { document: "readonly" } } },
];
