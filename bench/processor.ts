// Reads how much CPU time a process has used, as counted by Linux. Other load on the machine barely affects
// it.
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

/** Linux counts CPU time in hundredths of a second. */
export const MS_PER_TICK = 10

/** CPU ticks used by a process and those of its children that have exited. */
export function ticksOf(pid: number): number {
  return ticksIn(fieldsOf(pid))
}

/** Fields 14 to 17 of /proc/PID/stat. */
function ticksIn(fields: string[]): number {
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
}

/** CPU ticks used by a process and all its children, including those that have exited. */
export function treeTicks(parent: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = fieldsOf(Number(name))
        return Number(fields[1]) === parent ? [ticksIn(fields)] : []
      } catch {
        // The process has exited in the meantime. The kernel has added its time to the parent's.
        return []
      }
    })
  return children.reduce((sum, ticks) => sum + ticks, ticksOf(parent))
}

/** The PID of PostgreSQL's main process, which is the parent of all its other processes. */
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
