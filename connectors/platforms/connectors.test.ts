import { describe } from "vitest";
import { connectorLaws, registryLaws } from "../../test/suites/connector-laws.ts";
import { CONNECTORS } from "../registry.ts";

describe("the connectors together", () => registryLaws(CONNECTORS));

for (const connector of CONNECTORS) connectorLaws(connector);
