/** One suite for every store: the promises of the contracts in `service/store/`. */
import { describe } from "vitest";
import { accountLaws } from "./laws/accounts.ts";
import { databaseLaws, openingLaws } from "./laws/database.ts";
import { lockoutLaws } from "./laws/lockout.ts";
import { storeLaws } from "./laws/store.ts";
import { LASTING_STORES, STORES } from "./stores.ts";

describe.each(Object.entries(STORES))("%s", (_name, newDatabase) => {
  describe("database", () => databaseLaws(newDatabase));
  describe("store", () => storeLaws(newDatabase));
  describe("accounts", () => accountLaws(newDatabase));
  describe("wrong guesses", () => lockoutLaws(newDatabase));
});

describe.each(LASTING_STORES)("opening: %s", (name) => openingLaws(STORES[name]));
