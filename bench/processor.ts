// Reads the CPU time the system counts for a process (Linux); other load changes it little.
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

/** Linux counts CPU time in hundredths of a second. */
export const MS_PER_TICK = 10

/** CPU ticks of a process and of its exited children: fields 14 to 17 of its `stat`. */
export function ticksOf(pid: number): number {
  return fieldsOf(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0)
}

/** CPU ticks of a process and all its descendants, including exited ones. */
export function treeTicks(parent: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return Number(fieldsOf(Number(name))[1]) === parent
      } catch {
        return false
      }
    })
  return [String(parent), ...children].reduce((sum, pid) => sum + ticksOf(Number(pid)), 0)
}

/** The main PostgreSQL process, the parent of all others. */
export async function postmasterOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: string }>(
    "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid",
  )
  return Number(rows[0]?.pid)
}

function fieldsOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}
