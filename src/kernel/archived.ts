// Rows that are put away: out of the lists and forms, kept in history.
import * as z from 'zod/mini'

/** Which rows a list answers: those of every day unless asked otherwise. */
export type WhichRows = 'active' | 'archived' | 'all'

/** On the wire `archived=true` asks for the archived rows and `archived=all` for every row. */
export const ArchivedFilter = z.pipe(
  z._default(z.enum(['false', 'true', 'all'], { error: 'Ask for true, false or all' }), 'false'),
  z.transform((asked): WhichRows => (asked === 'all' ? 'all' : asked === 'true' ? 'archived' : 'active')),
)

/** What asks a list for these rows. */
export function askFor(which: WhichRows): { archived?: 'true' | 'all' } {
  return which === 'active' ? {} : { archived: which === 'archived' ? 'true' : 'all' }
}
