import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["node_modules/**", "dist/**"],
    environment: "node",
    globalSetup: ["service/test/global-setup.ts"],
    pool: "forks",
    // Nothing is waited for that long; a machine that others use may take as long to get there.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Suites of one file run in order; files run side by side on what cores there are.
    fileParallelism: true,
    // Vitest leaves one core free, which of two is half of the machine.
    maxWorkers: "100%",
  },
});
