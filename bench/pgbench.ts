// The same query by pgbench, which has no server before it: with the policies of the tables, and as a role that none holds.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Who asks, for what, and the settings that say so; without a role the policies do not apply. */
interface Asking {
  url: string
  settings: Record<string, string>
  statement: string
}

/** How often a second pgbench gets a prepared statement answered; undefined where it is not installed. */
export function pgbenchPerSecond(
  { url, settings, statement }: Asking,
  clients: number,
  seconds: number,
  folder: string,
): number | undefined {
  const file = join(folder, 'statement.sql')
  writeFileSync(file, `${statement};\n`)
  const options = Object.entries(settings).map(
    ([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`,
  )
  const { stdout, error } = spawnSync(
    'pgbench',
    ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds), '-f', file, url],
    { env: { PATH: process.env.PATH, PGOPTIONS: options.join(' ') }, encoding: 'utf8' },
  )
  if (error) return undefined
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
}
