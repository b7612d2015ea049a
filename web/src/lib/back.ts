// Which of this browser's tables are still to come back to.
import { openDoor, Sorry } from "./api";
import { type HeldSeat, setOver } from "./seats";

/**
 * Ask after a table: one that is over or gone leaves the list; without a server, it stays. The seat is
 * kept in any case: a server may have been started with another database.
 */
export async function lookAfter({ table, watch }: HeldSeat): Promise<void> {
  try {
    const found = await openDoor(watch);
    setOver(table, found.table.phase === "over");
  } catch (error) {
    const gone = error instanceof Sorry && ["table_unknown", "table_closed"].includes(error.code);
    if (gone) setOver(table, true);
  }
}
