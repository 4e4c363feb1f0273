// Archived rows are left out of lists and forms but kept in history.
import * as z from 'zod/mini'

/** The rows a list returns; by default, those that aren't archived. */
export type WhichRows = 'active' | 'archived' | 'all'

/** Schema for the query parameter: `archived=true` returns archived rows, `archived=all` returns every row. */
export const ArchivedFilter = z.pipe(
  z._default(z.enum(['false', 'true', 'all'], { error: 'Use true, false or all' }), 'false'),
  z.transform((asked): WhichRows => (asked === 'all' ? 'all' : asked === 'true' ? 'archived' : 'active')),
)

/** The query parameter that requests these rows; none for active ones. */
export function askFor(which: WhichRows): { archived?: 'true' | 'all' } {
  return which === 'active' ? {} : { archived: which === 'archived' ? 'true' : 'all' }
}
