// Archived rows are left out of lists and forms but kept in history.
import * as z from 'zod/mini'

/** Which rows a list returns. By default, only those that aren't archived. */
export type WhichRows = 'active' | 'archived' | 'all'

/** The schema for the query parameter: `archived=true` for archived rows, `archived=all` for all rows. */
export const ArchivedFilter = z.pipe(
  z._default(z.enum(['false', 'true', 'all'], { error: 'Use true, false or all' }), 'false'),
  z.transform((asked): WhichRows => (asked === 'all' ? 'all' : asked === 'true' ? 'archived' : 'active')),
)

/** The query parameter that requests these rows. Active rows don't need one. */
export function askFor(which: WhichRows): { archived?: 'true' | 'all' } {
  return which === 'active' ? {} : { archived: which === 'archived' ? 'true' : 'all' }
}
