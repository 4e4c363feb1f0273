// Runs the same query through pgbench, without a server: once as a role that's subject to the tables'
// policies, and once as one that isn't.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A query and the settings that identify the caller. Without a role, no policies apply. */
interface Asking {
  url: string
  settings: Record<string, string>
  statement: string
}

/**
 * Returns how many times per second pgbench can run a prepared statement. Undefined if pgbench isn't
 * installed.
 */
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
