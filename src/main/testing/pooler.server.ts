// PgBouncer in transaction mode, in front of a test's PostgreSQL. It has so few connections that the clients
// have to share them.
import { execFileSync, spawn } from 'node:child_process'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '#platform/free-port.server.ts'
import { connectTo } from '#platform/db/connection.server.ts'
import { until } from './process.server.ts'

export interface Pooler {
  /** The URL for connecting to a database through the pooler, as the owner role. */
  url(database: string): string
  stop(): Promise<void>
}

/** Starts PgBouncer with the same database names as PostgreSQL. */
export async function startPooler(superuserUrl: string, folder: string): Promise<Pooler> {
  const program = execFileSync(process.execPath, ['scripts/pooler.mjs'], { encoding: 'utf8' }).trim()
  const direct = new URL(superuserUrl)
  const port = String(await freePort())
  const place = join(folder, 'pooler')
  mkdirSync(place)
  writeFileSync(join(place, 'users.txt'), `"postgres" "${direct.password}"\n`)
  writeFileSync(
    join(place, 'pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${direct.port}
[pgbouncer]
${process.getuid?.() === 0 ? 'user = postgres' : ''}
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
default_pool_size = 2
auth_type = scram-sha-256
auth_file = ${join(place, 'users.txt')}
auth_user = postgres
auth_query = select usename, passwd from pg_shadow where usename = $1
`,
  )
  const libraries = globSync(join(dirname(program), '../lib/*'))
  const child = spawn(program, [join(place, 'pgbouncer.ini')], {
    env: { LD_LIBRARY_PATH: libraries.join(':') },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const url = (database: string) => {
    const pooled = new URL(direct)
    pooled.port = port
    pooled.pathname = `/${database}`
    return pooled.href
  }
  await until('the pooler answers', async () => {
    if (child.exitCode !== null) throw new Error(output)
    try {
      await (await connectTo(url('postgres'))).end()
      return true
    } catch {
      return false
    }
  })
  return {
    url,
    async stop() {
      child.kill('SIGQUIT')
      await ended
    },
  }
}
