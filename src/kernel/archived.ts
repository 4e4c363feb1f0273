// Archived rows: left out of lists and forms, kept in history.
import * as z from 'zod/mini'

/** Which rows a list returns: those that aren't archived unless asked otherwise. */
export type WhichRows = 'active' | 'archived' | 'all'

/** In a query, `archived=true` asks for the archived rows and `archived=all` for every row. */
export const ArchivedFilter = z.pipe(
  z._default(z.enum(['false', 'true', 'all'], { error: 'Ask for true, false or all' }), 'false'),
  z.transform((asked): WhichRows => (asked === 'all' ? 'all' : asked === 'true' ? 'archived' : 'active')),
)

/** The query parameter that asks a list for these rows. */
export function askFor(which: WhichRows): { archived?: 'true' | 'all' } {
  return which === 'active' ? {} : { archived: which === 'archived' ? 'true' : 'all' }
}
