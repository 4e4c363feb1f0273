// The processor time that the system counts for a process (Linux): a busy machine changes little of it.
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

/** Linux counts processor time in hundredths of a second. */
export const MS_PER_TICK = 10

/** Ticks of a process and of its children that have ended: fields 14 to 17 of its `stat`. */
export function ticksOf(pid: number): number {
  return fieldsOf(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0)
}

/** Ticks of a process and of all that it started, those that have ended among them. */
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

/** The process that all others of a PostgreSQL come from. */
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
