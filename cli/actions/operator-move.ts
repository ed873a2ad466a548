/** `logferry operator move`: everything from one database to another. */
import type { Move, Side } from "../../service/store/move-database.ts";
import type { CommandContext } from "../arguments/command.ts";
import { UsageError } from "../errors/exit-codes.ts";
import { asUsageError } from "../errors/service-errors.ts";
import { type Output, table } from "../terminal/output.ts";

/** What a move uses of the command's context. */
export interface MoveContext {
  readonly options: Pick<CommandContext["options"], "from" | "to">;
  readonly output: Pick<Output, "emit" | "say" | "remark" | "conclude">;
}

/** @throws UsageError that names the database which can't be used, its option, and what a failed move left behind */
export async function move({ options, output }: MoveContext): Promise<void> {
  const { moveDatabase, MoveFailed, SideFailed } = await import("../../service/store/move-database.ts");
  const { from = "", to = "" } = options;
  try {
    const moved = await moveDatabase(from, to, (others) => {
      const are = others === 1 ? "1 other connection is" : `${others} other connections are`;
      output.remark(`${are} open to the old database: what a service saves from now on stays there.`);
    });
    for (const one of moved.tables) output.emit("moved", { ...one });
    output.say(
      ...table(moved.tables.map(({ table: name, rows, hash }) => [name, String(rows), `SHA-256 ${hash.slice(0, 16)}`])),
    );
    output.conclude(conclusion(moved));
  } catch (error) {
    const left = error instanceof MoveFailed ? [error.left] : [];
    const failed = error instanceof MoveFailed ? error.cause : error;
    throw failed instanceof SideFailed ? describeFailure(failed, left) : asUsageError(failed, "Cannot move", NOWHERE);
  }
}

const NOWHERE = { database: "the database", host: "", port: 0 };

function conclusion({ to, tables }: Move): string {
  const rows = tables.reduce((sum, one) => sum + one.rows, 0);
  return `${rows} rows are in ${to}. Each table has the same rows and the same hash in both databases.`;
}

/** @param failed the database that can't be used. Its name is empty when the address can't be read */
function describeFailure(
  { cause, side, database }: { cause?: unknown; side: Side; database: string },
  left: readonly string[],
): unknown {
  const option = `--${side}`;
  const error = asUsageError(cause, "Cannot move", { database, host: database, port: 0, option });
  if (!(error instanceof UsageError)) return error;
  const { message, more } = error;
  const said =
    database !== "" && message.includes(database)
      ? message
      : message.includes(UNNAMED)
        ? message.replace(UNNAMED, [UNNAMED, database, `(${option})`].filter((part) => part !== "").join(" "))
        : `${option}: ${message}`;
  return new UsageError(said, { more: [...more, ...left], cause: error });
}

/** How messages of the service name the one database that it has. */
const UNNAMED = "the database";
