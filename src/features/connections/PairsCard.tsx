import { Link } from 'react-router'
import { paths } from '#features/site/paths.ts'
import { Notice } from '#platform/ui/Notice.tsx'
import { useConnections, useConnects, useOtherName } from './client.web.ts'
import type { Connection } from './connection.ts'

/** For example, "5 sessions may be logged twice". */
function pairsInWords(count: number): string {
  return `${count} ${count === 1 ? 'session' : 'sessions'} may be logged twice`
}

/** The link to a connection's pairs. */
export function PairsLink({ connection }: { connection: Connection }) {
  const to = `${paths.sameLessons}?${new URLSearchParams({ connection: connection.id }).toString()}`
  return (
    <Link to={to} className="link inline-flex min-h-11 items-center py-1.5 leading-snug">
      {pairsInWords(connection.pairs)}
    </Link>
  )
}

/** Links to sessions that both sides seem to have logged. Renders nothing if there are none. */
export function PairsCard() {
  const connects = useConnects()
  const nameOf = useOtherName()
  const connections = useConnections()
  const open = connections.data?.filter(({ pairs, is_read_only: isClosed }) => pairs > 0 && !isClosed) ?? []
  if (!connects || open.length === 0) return null
  return (
    <div className="mt-6">
      <Notice>
        <ul className="-mt-2.5">
          {open.map((connection) => (
            <li key={connection.id}>
              <PairsLink connection={connection} />
              <span className="block text-small text-ink-2">{nameOf(connection)}</span>
            </li>
          ))}
        </ul>
        <p className="text-small text-ink-2">Until you answer, only one of each pair counts.</p>
      </Notice>
    </div>
  )
}
