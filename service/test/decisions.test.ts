import Fastify from "fastify";
import { expect, test } from "vitest";
import { type Decisions, type Doubts, decisionRoutes } from "../pages/decisions.ts";

/** A group of pairs, each with a button. Those in `decided` are decided. */
function doubtsOf(ids: readonly string[], decided: ReadonlySet<string>): Doubts {
  const doubts = ids.map((id) => ({
    ...{ id, title: id, text: "" },
    buttons: [{ label: "These are one", command: `answer ${id}` }],
    decided: decided.has(id) ? "One." : undefined,
  }));
  return { text: "", groups: [{ id: "pairs", title: "3 pairs", text: "", buttons: [], doubts }] };
}

test("after a decision the next open doubt of its group comes up, and a page of a long group stays", async () => {
  const decided = new Set<string>();
  const decisions: Decisions = {
    read: async () => doubtsOf(["pair-a", "pair-b", "pair-c"], decided),
    decide: async (command) => void decided.add(command.replace("answer ", "")),
  };
  await using app = Fastify();
  decisionRoutes(app, decisions);
  const decide = async (at: string, view: Readonly<Record<string, string>> = {}) =>
    (await app.inject({ method: "POST", url: "/rehearsal", payload: { command: `answer ${at}`, at, ...view } })).headers
      .location;
  expect(await decide("pair-b")).toBe("/rehearsal?after=pair-b#pair-c");
  expect(await decide("pair-c", { group: "pairs", from: "20" })).toBe(
    "/rehearsal?group=pairs&from=20&after=pair-c#pair-a",
  );
  // What was decided before is changed where it stands, and so is the last one.
  expect(await decide("pair-c")).toBe("/rehearsal#pair-c");
  expect(await decide("pair-a")).toBe("/rehearsal#pair-a");
});
