import pg from "pg";
import { expect, test } from "vitest";
import { STORES } from "../../service/test/stores.ts";
import { errorOf } from "../../test/support/api.ts";
import { openFleetDatabase } from "./database.ts";

test("a database that reads backslashes as in the years before 2010 is refused with the name of its setting", async () => {
  const address = await STORES.PostgreSQL();
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  await client.query(`ALTER DATABASE "${new URL(address).pathname.slice(1)}" SET standard_conforming_strings = off`);
  await client.end();
  const refused = await errorOf(openFleetDatabase(address, new AbortController().signal));
  expect(refused).toMatchObject({ code: "fleet/database", reason: "service" });
  expect(refused.message).toMatch(/standard_conforming_strings is off there/);
});
