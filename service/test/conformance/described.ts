/** Checks answers against the description the service publishes of itself. */
import Schema from "typebox/schema";
import type { Description } from "../../openapi/describe.ts";
import { type Answer, send } from "../client.ts";

/** Checks answers, and remembers the operations and statuses. */
export interface Checker {
  /** @throws Error when no operation foresees the status, or the body doesn't fit its schema */
  check(method: string, path: string, answer: Answer): void;
  readonly seen: ReadonlySet<string>;
  readonly operations: readonly string[];
}

/**
 * Makes a checker from the description of a running service. Addresses and methods outside the description pass unchecked, because it
 * doesn't list their refusals.
 */
export async function checkerOf(url: string): Promise<Checker> {
  const description: Description = (await send(url, "GET", "/openapi.json")).json;
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      // Concrete paths come first: `/workouts/fit` is no id.
      isConcrete: !path.includes("{"),
      matches: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
      responses: operation.responses,
    })),
  );
  operations.sort((one, other) => Number(other.isConcrete) - Number(one.isConcrete));
  const seen = new Set<string>();
  const validators = new Map<string, ReturnType<typeof Schema.Compile>>();
  return {
    operations: operations.map(({ name }) => name),
    seen,
    check(method, path, answer) {
      const [address = ""] = path.split("?");
      const operation = operations.find((one) => one.method === method && one.matches.test(address));
      if (operation === undefined) return;
      const key = `${operation.name} ${answer.status}`;
      const response = operation.responses[answer.status];
      if (response === undefined) throw new Error(`${key} is not described`);
      const schema = response.content?.["application/json"]?.schema;
      if (schema === undefined) return;
      const validator = validators.get(key) ?? Schema.Compile(schema as object);
      validators.set(key, validator);
      if (!validator.Check(answer.json)) {
        throw new Error(
          `${key} doesn't fit its description: ${JSON.stringify(validator.Errors(answer.json))} ${answer.text}`,
        );
      }
      seen.add(key);
    },
  };
}
