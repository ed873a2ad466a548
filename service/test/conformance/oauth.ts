/** Sign-in, consent and tokens. */
import { noRule } from "./harness.ts";

export function oauthRules(): void {
  noRule(
    [
      "Endpoints / Exchange authorization token",
      "Authentication / (1)",
      ...[1, 2, 3, 4].map((step) => `Flow / ${step}`),
      ...["(1)", "response_type", "client_id", "redirect_uri", "state", "(2)", "(3)", "(4)", "(5)", "(6)"].map(
        (item) => `Authorization endpoint / ${item}`,
      ),
      ...["(1)", "client_id", "client_secret", "code", "redirect_uri", "grant_type", "(2)", "(3)"].map(
        (item) => `Token endpoint / ${item}`,
      ),
      "Credential lifetimes / Authorization token",
      "Credential lifetimes / Access token",
      "Gaps in authentication / (1)",
      "Gaps in authentication / (2)",
      "Errors / (1)",
      "Limits / Authorization token lifetime",
      "Limits / Access token length",
    ],
    "not held yet",
  );
}
